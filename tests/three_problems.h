/* A part of three_gpus.c: what the CPU backend does on memory of the current GPU.  */

static gpr_status
lies_elsewhere (void)
{
  return host.fail (GPR_BAD_INPUT, "arrays lie on two GPUs");
}

static gpr_status
map (struct gpr_mapping *m)
{
  for (int l = 0; l < m->leaves; l++)
    if (device_of (m->x[l]) != device_of (m->z))
      return lies_elsewhere ();
  return m->asked ? GPR_OK : host.cpu->map (m);
}

static gpr_status
convert (gpr_conversion *c)
{
  return device_of (c->x) != device_of (c->y) ? lies_elsewhere () : host.cpu->convert (c);
}

#define BY_THE_CPU(name, type) \
  static gpr_status \
  cpu_##name (type *p) \
  { \
    return host.cpu->name (p); \
  }
BY_THE_CPU (exact, gpr_reduction)
BY_THE_CPU (count, gpr_counting)
BY_THE_CPU (complex, struct gpr_complex_mapping)
BY_THE_CPU (scan, struct gpr_scanning)
BY_THE_CPU (scatter, struct gpr_scattering)
BY_THE_CPU (order, struct gpr_ordering)
BY_THE_CPU (select, struct gpr_selection)
BY_THE_CPU (gather, struct gpr_gathering)
BY_THE_CPU (find, struct gpr_finding)

static gpr_status
exact_totals (const gpr_reduction *r, void *totals)
{
  const gpr_status status = host.cpu->exact_totals (r, totals);
  return status == GPR_OK ? misfortune (device_of (r->x)) : status;
}

/* No memory is left when a reading begins; other misfortunes come in its midst.  */
static gpr_status
keys_begin (gpr_key_reading *k)
{
  return is_told (device_of (k->x), "memory") ? misfortune (device_of (k->x)) : host.cpu->keys_begin (k);
}

static gpr_status
keys_count (gpr_key_reading *k, int digit, int64_t *table, uint64_t *least, uint64_t *greatest)
{
  const gpr_status status = k->known > 0 ? misfortune (device_of (k->x)) : GPR_OK;
  return status == GPR_OK ? host.cpu->keys_count (k, digit, table, least, greatest) : status;
}

static gpr_status
keys_keep (gpr_key_reading *k, uint64_t *kept, uint64_t *above)
{
  const gpr_status status = misfortune (device_of (k->x));
  return status == GPR_OK ? host.cpu->keys_keep (k, kept, above) : status;
}

static void
keys_end (gpr_key_reading *k)
{
  host.cpu->keys_end (k);
}

static gpr_status
cpu_rank (struct gpr_ranking *p)
{
  const gpr_status status = p->x_resident ? misfortune (device_of (p->x)) : GPR_OK;
  return status == GPR_OK ? host.cpu->rank (p) : status;
}
