/* The device that is asked for: by a call, by gpu_config ("device") or by the environment.  */

#include <stdlib.h>
#include <strings.h>

#include "setting.h"

gpr_device_request gpr_device_setting;
static bool setting_read, setting_valid = true;

bool
gpr_parse_device (const char *text, gpr_device_request *request)
{
  static const struct { const char *name; gpr_want want; } names[] = {
    { "gpu", GPR_WANT_GPU }, { "cpu", GPR_WANT_CPU }, { "auto", GPR_WANT_AUTO }, { "default", GPR_WANT_DEFAULT },
    { "sim", GPR_WANT_SIM }, { "all", GPR_WANT_ALL }
  };
  int list[GPR_MOST_DEVICES], count = 0;

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp (text, names[i].name) == 0)
      {
        *request = (gpr_device_request) { .want = names[i].want };
        return true;
      }
  for (const char *at = text;; at++)
    {
      char *end;
      long number = strtol (at, &end, 10);
      if (end == at || (*end != '\0' && *end != ',') || number < 1 || number > GPR_MOST_NUMBER || count == GPR_MOST_DEVICES)
        return false;
      list[count++] = (int) number;
      at = end;
      if (*at == '\0')
        return gpr_request_devices (list, count, request);
    }
}

bool
gpr_request_devices (const int *list, int count, gpr_device_request *request)
{
  if (count < 1 || count > GPR_MOST_DEVICES)
    return false;
  *request = (gpr_device_request) { .want = count == 1 ? GPR_WANT_NUMBER : GPR_WANT_SEVERAL, .number = list[0], .count = count };
  for (int i = 0; i < count; i++)
    {
      request->list[i] = list[i];
      for (int k = 0; k < i; k++)
        if (list[k] == list[i])
          return false;
    }
  return list[0] >= 1;
}

/* ---- the setting ---------------------------------------------------------------- */

/* Among the processes of this node, from 0.  A launcher inside another's job
   leaves the outer one's variable in the environment, as 0: so the first above 0
   counts.  */
gpr_status
gpr_local_rank (long *rank)
{
  static const char *const names[] = { "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK" };
  bool found = false;

  *rank = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && *rank == 0; i++)
    {
      const char *text = getenv (names[i]);
      char *end;
      if (! text || ! *text)
        continue;
      *rank = strtol (text, &end, 10);
      if (*end != '\0' || *rank < 0)
        return gpr_fail (GPR_BAD_INPUT, "environment variable %s is \"%.100s\"; for the device \"local\" it must be a rank, "
                         "a number from 0", names[i], text);
      found = true;
    }
  return found ? GPR_OK
         : gpr_fail (GPR_BAD_INPUT, "the device is \"local\", but none of the environment variables SLURM_LOCALID, "
                     "OMPI_COMM_WORLD_LOCAL_RANK, MPI_LOCALRANKID, PMI_LOCAL_RANK is set: start Octave by srun or mpirun, "
                     "or name a device by its number");
}

void
gpr_device_setting_read (void)
{
  const char *text = getenv ("GPUREDUCE_DEVICE");
  if (! setting_read && text && strcasecmp (text, "local") == 0)
    gpr_device_setting.want = GPR_WANT_LOCAL;
  else if (! setting_read && text && *text)
    setting_valid = gpr_parse_device (text, &gpr_device_setting);
  setting_read = true;
}

gpr_status
gpr_device_setting_check (void)
{
  long rank;

  gpr_device_setting_read ();
  if (! setting_valid)
    return gpr_fail (GPR_BAD_INPUT, "environment variable GPUREDUCE_DEVICE is \"%.100s\"; it must be \"gpu\", \"cpu\", "
                     "\"auto\", \"all\", \"local\", a device number, or several as in \"1,2,4\", none twice", getenv ("GPUREDUCE_DEVICE"));
  return gpr_device_setting.want == GPR_WANT_LOCAL ? gpr_local_rank (&rank) : GPR_OK;
}

gpr_status
gpr_device_set (gpr_device_request request)
{
  long rank;
  if (request.want == GPR_WANT_LOCAL && gpr_local_rank (&rank) != GPR_OK)
    return GPR_BAD_INPUT;
  gpr_device_setting = request;
  setting_read = setting_valid = true;
  return GPR_OK;
}
