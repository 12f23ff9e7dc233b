/* Goes into every module of ladder files, the package's own and users': the list,
   and where the module's __shared__ variables are.  */

#include "../ladder/ladder.h"
#include "../ladder/registry.h"

/* The kernel that a launch of this runs.  */
plain_body *plain_bodies;
extern "C" __attribute__ ((visibility ("default"))) const void *sim_kernel_of (const void *entry)
{
  for (const plain_body *b = plain_bodies; b; b = b->next)
    if (b->entry == entry)
      return b->kernel;
  return entry;
}

/* Touching it gives this thread the module's thread-local memory.  */
static thread_local char anchor;

#if defined __PIC__ && ! defined __PIE__
/* A user's module has a new of its own (-Bsymbolic): in a thread it is of the device's heap; on the host the simulator learns how much there is.  */
__attribute__ ((weak)) void *operator new (size_t bytes)
{
  void *p = malloc (bytes ? bytes : 1);
  if (! p)
    abort ();
  return p;
}
__attribute__ ((weak)) void *operator new[] (size_t bytes) { return operator new (bytes); }
__attribute__ ((weak)) void operator delete (void *p) noexcept { free (p); }
__attribute__ ((weak)) void operator delete[] (void *p) noexcept { free (p); }
__attribute__ ((weak)) void operator delete (void *p, size_t) noexcept { free (p); }
__attribute__ ((weak)) void operator delete[] (void *p, size_t) noexcept { free (p); }

/* What a user's arrays declared extern __shared__ are, all of them: build-variant links their names to
   this place.  Before it lies nothing that an index below 0 could reach.  */
__asm__ (".pushsection .tbss,\"awT\",@nobits\n"
         ".balign 128\n"
         ".zero 4096\n"
         ".globl sim_dynamic\n"
         ".hidden sim_dynamic\n"
         ".type sim_dynamic, @tls_object\n"
         ".size sim_dynamic, 241664\n"
         "sim_dynamic: .zero 241664\n"             /* SHARED_MOST of state.h and some more */
         ".popsection");
#endif

#ifdef LADDER_GRADED
/* What describes the variants of a submission that is graded, in a section of its own, so that loading the module
   runs nothing (build-variant, graded.cpp).  */
typedef void (*initialiser) (void);
extern "C" __attribute__ ((weak, visibility ("hidden"))) const initialiser __start_gpr_init[], __stop_gpr_init[];
extern "C" __attribute__ ((visibility ("default"))) void sim_initialisers (const initialiser **from, const initialiser **to)
{
  *from = __start_gpr_init;
  *to = __stop_gpr_init;
}
#endif

extern "C" __attribute__ ((visibility ("default"))) const void *sim_module_touch (void)
{
  *(volatile char *) &anchor = 0;
  return (const void *) &sim_module_touch;
}
