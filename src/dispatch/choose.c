#include <math.h>
#include <stdio.h>

#include "among.h"
#include "choose.h"
#include "cuda_module.h"
#include "../cpu/cpu.h"
#include "split.h"

static int selected;            /* GPU of calls that name none, once there is one; 0: none yet */

/* ---- the GPUs -------------------------------------------------------------------- */

int
gpr_device_count (const char **reason)
{
  static gpr_cuda_probe probe;
  static bool probed;
  const gpr_cuda_api *cuda = gpr_cuda ();

  if (! cuda)
    {
      *reason = gpr_message ();
      return 0;
    }
  if (! probed)
    {
      cuda->probe (&probe);
      probed = true;
    }
  *reason = probe.reason;
  return probe.devices;
}

gpr_status
gpr_device_usual (int *device)
{
  const char *reason;
  int devices = gpr_device_count (&reason);
  long rank = 0;

  gpr_device_setting_read ();
  *device = 1;
  if (gpr_device_setting.want == GPR_WANT_NUMBER || gpr_device_setting.want == GPR_WANT_SEVERAL)
    *device = gpr_device_setting.number;
  else if (selected > 0)
    *device = selected;
  else if (gpr_device_setting.want == GPR_WANT_LOCAL)
    {
      if (gpr_local_rank (&rank) != GPR_OK)
        return GPR_BAD_INPUT;
      *device = devices > 0 ? 1 + (int) (rank % devices) : 1;
    }
  return GPR_OK;
}

void
gpr_device_select (int device)
{
  selected = device;
  if (device > 0 && (gpr_device_setting.want == GPR_WANT_NUMBER || gpr_device_setting.want == GPR_WANT_SEVERAL))
    gpr_device_setting.number = device;
}

bool
gpr_device_is_selected (int device)
{
  int usual;
  return (selected > 0 || gpr_device_setting.number > 0) && gpr_device_usual (&usual) == GPR_OK
         && usual == device;
}

/* ---- the choice ------------------------------------------------------------------ */

/* "auto" of host data.  */
static gpr_paced
fastest (const gpr_rates *r, const gpr_work *work, bool splits, const char **reason)
{
  static char text[200];
  static const char *const names[] = { "the CPU", "the GPU", "CPU and GPU at once" };
  const double bus = r->staged > r->in_place ? r->staged : r->in_place;
  double us[GPR_PLACES];

  for (gpr_place p = 0; p < GPR_PLACES; p++)
    us[p] = p == GPR_ON_BOTH && ! splits ? HUGE_VAL : gpr_pace_guess (work, r, p);
  const gpr_paced paced = gpr_pace_choose (work, r->threads, r->device, us);
  int n = snprintf (text, sizeof text, "auto: %s; GB/s %s: CPU %.0f (%d threads), GPU over the bus %.0f", names[paced.place],
                    r->measured ? "measured" : "typical", r->cpu, r->threads, bus);
  if (us[GPR_ON_BOTH] < HUGE_VAL)
    n += snprintf (text + n, sizeof text - n, ", both %.0f", r->both);
  snprintf (text + n, sizeof text - n, "; expected here: CPU %.3g ms, GPU %.3g ms", us[GPR_ON_CPU] / 1e3, us[GPR_ON_GPU] / 1e3);
  *reason = text;
  return paced;
}

gpr_status
gpr_choose_rates (bool measure, gpr_rates *rates)
{
  const char *reason;
  const gpr_backend *gpu = NULL;
  int device = 0;
  gpr_status status = GPR_OK;

  if (gpr_device_count (&reason) > 0)
    status = gpr_device_usual (&device);
  if (measure && status == GPR_OK && device > 0)
    {
      status = gpr_cuda ()->select (device);
      gpu = &gpr_cuda ()->backend;
    }
  if (measure && status == GPR_OK)
    {
      gpr_rates_forget ();
      gpr_paces_forget ();
      status = gpr_rates_measure (GPR_sum_f64, gpu, device, NULL, 0);
    }
  *rates = gpr_rates_of (GPR_sum_f64, device);
  return status;
}

/* The GPU where there is one, else the CPU.  */
static bool
unasked (gpr_device_request request)
{
  return request.want == GPR_WANT_DEFAULT || request.want == GPR_WANT_LOCAL;
}

static gpr_status
no_such_gpu (int number, int devices)
{
  return gpr_fail (GPR_NO_DEVICE, "no GPU number %d: there %s %d", number, devices == 1 ? "is" : "are", devices);
}

/* The number of the GPU that is asked for; 0, and choice says why, where there is
   none and none is insisted on.  */
static gpr_status
find_gpu (gpr_device_request request, int *device, gpr_choice *choice)
{
  const char *reason;
  const int devices = gpr_device_count (&reason);

  *device = 0;
  if (devices == 0)
    {
      if (request.want == GPR_WANT_GPU || request.want == GPR_WANT_NUMBER)
        return gpr_fail (GPR_NO_DEVICE, "no GPU to run on: %s", reason);
      choice->reason = reason;
      choice->fell_back = unasked (request);
      return GPR_OK;
    }
  if (request.want != GPR_WANT_NUMBER)
    return gpr_device_usual (device);
  if (request.number > devices)
    return no_such_gpu (request.number, devices);
  *device = request.number;
  return GPR_OK;
}

/* Makes the GPU ready.  Where it is full, busy or exclusive, the default is the CPU, and
   choice says why; a wish for that GPU is an error.  */
static gpr_status
open_gpu (gpr_device_request request, int device, gpr_choice *choice, bool *open)
{
  gpr_status status = gpr_cuda ()->select (device);

  *open = status == GPR_OK;
  if (request.want != GPR_WANT_NUMBER && gpr_device_setting.want != GPR_WANT_NUMBER
      && (status == GPR_OK || status == GPR_DEVICE_LOST))
    gpr_device_select (device);
  if (*open || request.want == GPR_WANT_GPU || request.want == GPR_WANT_NUMBER || status == GPR_DEVICE_LOST)
    return status;
  choice->reason = gpr_message ();
  choice->fell_back = unasked (request);
  return GPR_OK;
}

static bool
is_worth_rates (const gpr_work *work, const gpr_reduction *r, const gpr_rates *rates)
{
  const int64_t learns = (int64_t) 128 << 20;   /* bytes */
  return r && work->bytes >= learns && ! rates->measured;
}

static enum gpr_instance
rated_as (const gpr_reduction *r)
{
  /* One that stops where it is decided has no rate of its own.  */
  return r && ! (gpr_instances[r->instance].traits & (GPR_DECIDED_BY_0 | GPR_DECIDED_BY_1)) ? r->instance : GPR_sum_f64;
}

/* Measures rates of a GPU that is open, where the input is worth it.  What fails here will fail again where it matters.  */
static gpr_status
learn_rates (const gpr_work *work, const gpr_reduction *r, int device, gpr_rates *rates)
{
  const enum gpr_instance instance = rated_as (r);
  *rates = gpr_rates_of (instance, device);
  if (! is_worth_rates (work, r, rates))
    return GPR_OK;
  gpr_status status = gpr_rates_measure (instance, &gpr_cuda ()->backend, device, r->x,
                                         r->inner * r->length * r->outer * gpr_instances[r->instance].elem_bytes);
  *rates = gpr_rates_of (instance, device);
  return status == GPR_INTERRUPTED || status == GPR_DEVICE_LOST ? status : GPR_OK;
}

/* A GPU where there is one.  "auto" decides by rates, which are measured first where the
   input is worth it.  */
static gpr_status
choose_gpu (gpr_device_request request, const gpr_work *work, const gpr_reduction *r, gpr_choice *choice)
{
  const bool splits = r && gpr_splits (r);
  gpr_paced at = { -1, GPR_ON_GPU, 0 };
  bool learn = false, open;
  int device;

  gpr_status status = find_gpu (request, &device, choice);
  if (status != GPR_OK || device == 0)
    return status;
  if (request.want == GPR_WANT_AUTO)
    {
      gpr_rates rates = gpr_rates_of (rated_as (r), device);
      at = fastest (&rates, work, splits, &choice->reason);
      learn = is_worth_rates (work, r, &rates);
      choice->paced = at;
      if (at.place == GPR_ON_CPU && ! learn)
        return GPR_OK;
    }
  status = open_gpu (request, device, choice, &open);
  if (! open)
    return status;
  const gpr_backend *gpu = &gpr_cuda ()->backend;
  if (learn)
    {
      gpr_rates rates;
      status = learn_rates (work, r, device, &rates);
      if (status != GPR_OK)
        return status;
      choice->paced = at = fastest (&rates, work, splits, &choice->reason);
    }
  if (at.place == GPR_ON_CPU)
    return GPR_OK;
  choice->backend = at.place == GPR_ON_BOTH ? &gpr_split_backend : gpu;
  choice->device = device;
  if (request.want != GPR_WANT_AUTO)
    choice->reason = unasked (request) ? "the default where there is a GPU" : "asked for";
  return GPR_OK;
}

static bool
wants_several (gpr_device_request request)
{
  return request.want == GPR_WANT_ALL || request.want == GPR_WANT_SEVERAL;
}

gpr_status
gpr_choose_devices (const gpr_device_request *request, int list[GPR_MOST_DEVICES], int *count)
{
  const char *reason;
  const int devices = gpr_device_count (&reason);

  if (devices == 0)
    return gpr_fail (GPR_NO_DEVICE, "no GPU to run on: %s", reason);
  const bool one = request->want == GPR_WANT_NUMBER;
  *count = one ? 1 : request->want == GPR_WANT_SEVERAL ? request->count : devices < GPR_MOST_DEVICES ? devices : GPR_MOST_DEVICES;
  for (int i = 0; i < *count; i++)
    {
      list[i] = one ? request->number : request->want == GPR_WANT_SEVERAL ? request->list[i] : i + 1;
      if (list[i] > devices)
        return no_such_gpu (list[i], devices);
    }
  return GPR_OK;
}

/* Whether the CPU helps several GPUs: with reductions where one GPU with it was faster than alone; with histograms, of which there are no rates,
   where calls have been.  */
static bool
cpu_helps (const gpr_rates *rates, const gpr_work *work, bool reduces, int count, gpr_choice *choice)
{
  const double bus = rates->staged > rates->in_place ? rates->staged : rates->in_place;
  double us[GPR_PLACES] = { [GPR_ON_CPU] = HUGE_VAL };

  if (reduces || rates->threads <= count)
    return reduces && rates->measured && rates->both > 1.1 * bus && rates->threads > count;
  us[GPR_ON_GPU] = us[GPR_ON_BOTH] = gpr_pace_guess (work, rates, GPR_ON_GPU);
  choice->paced = gpr_pace_choose (work, rates->threads, -count, us);
  return choice->paced.place == GPR_ON_BOTH;
}

/* A reduction or histogram of host data (divides) over several GPUs.  *done: nothing is to be divided here, and one of the GPUs, which request
   then asks for, does the call.  */
static gpr_status
choose_several (gpr_device_request *request, const gpr_work *work, bool divides, const gpr_reduction *r, gpr_choice *choice, bool *done)
{
  int list[GPR_MOST_DEVICES], count = 0;
  gpr_rates rates;
  gpr_status status = gpr_choose_devices (request, list, &count);

  *done = true;
  if (status != GPR_OK)
    return status;
  if (count < 2 || ! divides || work->bytes < GPR_AMONG_LEAST)
    {
      *request = request->want == GPR_WANT_ALL ? (gpr_device_request) { .want = GPR_WANT_GPU }
                 : (gpr_device_request) { .want = GPR_WANT_NUMBER, .number = request->number };
      *done = false;
      return GPR_OK;
    }
  status = gpr_cuda ()->select (list[0]);
  if (status == GPR_OK)
    status = learn_rates (work, r, list[0], &rates);
  if (status != GPR_OK)
    return gpr_among_fail (list[0], status);
  choice->backend = gpr_among (list, count, cpu_helps (&rates, work, r != NULL, count, choice));
  choice->device = list[0];
  choice->reason = "asked for";
  return GPR_OK;
}

gpr_status
gpr_choose (gpr_device_request request, const gpr_backend *home, int home_device, const gpr_work *work,
            const gpr_reduction *r, gpr_choice *choice)
{
  *choice = (gpr_choice) { &gpr_cpu_backend, 0, "", false, GPR_NOT_PACED };
  if (request.want == GPR_WANT_DEFAULT)
    {
      gpr_status valid = gpr_device_setting_check ();
      if (valid != GPR_OK)
        return valid;
    }
  if (request.want == GPR_WANT_SIM)
    return gpr_fail (GPR_BAD_INPUT, "the simulator runs variants of the ladder: gpu_reduce (x, op, \"variant\", NAME, \"device\", \"sim\")");

  /* Resident data is used where it lies, unless this call asks for another place.  */
  if (home && request.want != GPR_WANT_CPU && request.want != GPR_WANT_NUMBER
      && (home != &gpr_cpu_backend || (request.want != GPR_WANT_GPU && ! wants_several (request))))
    {
      *choice = (gpr_choice) { home, home_device, "the gpuArray is there", false, GPR_NOT_PACED };
      /* Results are made on the device in use.  */
      return home_device > 0 ? gpr_cuda ()->select (home_device) : GPR_OK;
    }
  if (request.want == GPR_WANT_DEFAULT)
    request = gpr_device_setting;
  if (request.want == GPR_WANT_CPU || request.want == GPR_WANT_SIM)
    {
      choice->reason = "asked for";
      return GPR_OK;
    }
  if (wants_several (request))
    {
      const bool divides = ! home && (r ? gpr_splits (r) : work->kind == GPR_WORK_COUNT);
      bool done;
      gpr_status status = choose_several (&request, work, divides, r, choice, &done);
      if (done)
        return status;
    }
  return choose_gpu (request, work, r, choice);
}

bool
gpr_choice_is_news (const gpr_choice *choice)
{
  static bool told;
  const bool news = choice->fell_back && ! told;
  told = told || news;
  return news;
}

gpr_status
gpr_choose_for_variant (gpr_device_request request, const gpr_backend *home, int home_device, int64_t elements,
                        gpr_choice *choice, bool *simulated)
{
  const int64_t unasked = (int64_t) 1 << 22;
  const char *reason;

  *simulated = true;
  *choice = (gpr_choice) { &gpr_cpu_backend, 0, "asked for", false, GPR_NOT_PACED };
  if (request.want == GPR_WANT_CPU)
    return gpr_fail (GPR_BAD_INPUT, "variants run on a GPU or in the simulator: device must be \"gpu\", \"sim\", \"auto\" or a number");
  if (request.want == GPR_WANT_DEFAULT && gpr_device_setting_check () == GPR_OK)
    request = gpr_device_setting;
  if (request.want == GPR_WANT_SIM)
    return GPR_OK;
  /* What "cpu", "auto", "local" and the default say of the engine is no word on variants.  */
  if (request.want != GPR_WANT_GPU && request.want != GPR_WANT_NUMBER && ! wants_several (request))
    {
      if (gpr_device_count (&reason) == 0)
        {
          choice->reason = reason;
          return elements <= unasked ? GPR_OK
                 : gpr_fail (GPR_BAD_INPUT, "there is no GPU (%s), and %lld elements are many for the simulator: ask for it with "
                             "\"device\", \"sim\"", reason, (long long) elements);
        }
      request = (gpr_device_request) { .want = GPR_WANT_GPU };
    }
  *simulated = false;
  return gpr_choose (request, home == &gpr_cpu_backend ? NULL : home, home_device, &(gpr_work) { .kind = GPR_WORK_STORE, .bytes = INT64_MAX }, NULL, choice);
}
