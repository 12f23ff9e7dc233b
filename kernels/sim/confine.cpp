/* gpureduce_sim --confined: runs a program that strangers have a say in, a compiler on their file or
   the simulator with their module, so that it can neither read nor write what is not its own, has no
   network, and ends in time.  What each layer closes off is in doc/architecture.md.  */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "confine.h"

#if defined __linux__ && __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#  include <linux/audit.h>
#  include <linux/seccomp.h>
#  if defined __x86_64__
#    define ARCHITECTURE AUDIT_ARCH_X86_64
#  endif
#endif

#ifndef ARCHITECTURE
int confined (int, char **)
{
  fprintf (stderr, "cannot be confined: that takes Linux on x86-64 with Landlock and seccomp\n");
  return CONFINE_REFUSED;
}
#else

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "request.h"

struct bounds
{
  std::vector<const char *> read;
  const char *write;
  double seconds;
  long memory, file;            /* MiB */
  bool alone;                   /* it starts no other program */
  bool anyway;                  /* also where the system lacks what it takes */
};

[[noreturn]] static void stop (int code, const char *what, const char *why)
{
  dprintf (2, "%s: %s\n", what, why);
  _exit (code);
}

/* Tests name what the system shall seem to lack; it can only take away.  */
static bool lacks (const char *what)
{
  const char *list = getenv ("GPUREDUCE_LACKS");
  return list && strstr (list, what);
}

/* ---- files: Landlock ----------------------------------------------------------------- */

enum
{
  READS = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
  OF_FILES = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | 1 << 14 /* truncate */
    | 1 << 15 /* ioctl of devices */
};

static int landlock_version (void)
{
  if (lacks ("landlock"))
    return 0;
  return (int) syscall (SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static void allow (int rules, const char *path, __u64 access)
{
  struct landlock_path_beneath_attr rule;
  struct stat st;
  const int fd = open (path, O_PATH | O_CLOEXEC);
  if (fd < 0)
    return;                     /* a folder that this system does not have */
  if (fstat (fd, &st) == 0)
    {
      rule.parent_fd = fd;
      rule.allowed_access = S_ISDIR (st.st_mode) ? access : access & OF_FILES;
      if (syscall (SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        stop (CONFINE_FAILED, path, strerror (errno));
    }
  close (fd);
}

static void close_files (const bounds &b, const char *program, int version)
{
  /* What a program is loaded from, and a compiler: nothing of any user's.  */
  static const char *const system[] = { "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
                                        "/etc/ld.so.cache", "/gnu/store", "/nix/store", NULL };
  static const char *const compilers[] = { "/bin", "/usr/bin", "/usr/local/bin", "/usr/include", "/usr/local/include", "/usr/libexec",
                                           "/etc/alternatives", "/opt/rh", NULL };
  /* Its size tells the kernel which fields it has: those of the versions after are 0.  */
  struct { __u64 fs, net, scoped; } all = { (1ull << (version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13)) - 1,
                                            version >= 4 ? 3ull : 0, version >= 6 ? 3ull : 0 };
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int rules = (int) syscall (SYS_landlock_create_ruleset, &all, size, 0);
  if (rules < 0)
    stop (CONFINE_FAILED, "Landlock", strerror (errno));
  for (int i = 0; system[i]; i++)
    allow (rules, system[i], READS);
  for (int i = 0; compilers[i] && ! b.alone; i++)
    allow (rules, compilers[i], READS);
  for (const char *path : b.read)
    allow (rules, path, READS);
  allow (rules, program, READS);
  allow (rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow (rules, "/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE);
  if (b.write)
    allow (rules, b.write, (READS | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG
                            | (version >= 3 ? 1 << 14 : 0)) & all.fs);
  if (syscall (SYS_landlock_restrict_self, rules, 0) != 0)
    stop (CONFINE_FAILED, "Landlock", strerror (errno));
  close (rules);
}

/* ---- calls of the system: seccomp ------------------------------------------------------- */

struct filter
{
  std::vector<sock_filter> code;
  void put (unsigned short op, unsigned k, unsigned char yes = 0, unsigned char no = 0) { code.push_back ({ op, yes, no, k }); }
  void load (size_t at) { put (BPF_LD | BPF_W | BPF_ABS, (unsigned) at); }
  void end (unsigned how) { put (BPF_RET | BPF_K, how); }
  void when (unsigned number, unsigned how)
  {
    put (BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    end (how);
  }
};
enum { DENY = SECCOMP_RET_ERRNO | EPERM, ABSENT = SECCOMP_RET_ERRNO | ENOSYS, PASS = SECCOMP_RET_ALLOW };
#define ARGUMENT(i) offsetof (struct seccomp_data, args[i])     /* its lower half */

/* What loading a program and one thread's computing takes.  */
static const int computing[] = {
  SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_openat, SYS_close, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_lseek,
  SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
  SYS_setitimer, SYS_getitimer, SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_futex, SYS_sched_yield,
  SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getcwd, SYS_uname, SYS_exit, SYS_exit_group, SYS_execve,
  SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_prlimit64, SYS_prctl, SYS_getrandom, SYS_faccessat, SYS_readlinkat, SYS_fcntl, SYS_ioctl,
  SYS_sysinfo, SYS_getcpu, SYS_sched_getaffinity,
#ifdef __x86_64__
  SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getrlimit, SYS_setrlimit, SYS_arch_prctl, SYS_time,
#endif
};

/* What a compiler never needs, and what reaches other processes, the network or the kernel's insides.  */
static const int reaching[] = {
  SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_sendto, SYS_sendmsg, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
  SYS_kill, SYS_tkill, SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_kcmp,
  SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsmount, SYS_fspick,
  SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
  SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname, SYS_setdomainname,
  SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_quotactl, SYS_acct, SYS_personality, SYS_syslog,
  SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_setfsuid, SYS_setfsgid,
  SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_truncate, SYS_mknodat, SYS_setpriority, SYS_sched_setscheduler,
#ifdef __x86_64__
  SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_mknod,
#endif
};

static bool close_calls (const bounds &b)
{
  filter f;
  f.load (offsetof (struct seccomp_data, arch));
  f.put (BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  f.end (SECCOMP_RET_KILL_PROCESS);
  f.load (offsetof (struct seccomp_data, nr));
#ifdef __x86_64__
  f.put (BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);          /* the numbers of another ABI */
  f.end (SECCOMP_RET_KILL_PROCESS);
#endif
  if (b.alone)
    {
      for (int number : computing)
        f.when ((unsigned) number, PASS);
      /* abort () signals itself; a process may do no more.  */
      f.put (BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4);
      f.load (ARGUMENT (0));
      f.put (BPF_JMP | BPF_JEQ | BPF_K, (unsigned) getpid (), 0, 1);
      f.end (PASS);
      f.end (DENY);
      /* Shared memory without a file would not count as data.  */
      f.put (BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5);
      f.load (ARGUMENT (3));
      f.put (BPF_ALU | BPF_AND | BPF_K, 0x21);
      f.put (BPF_JMP | BPF_JEQ | BPF_K, 0x21, 1, 0);
      f.end (PASS);
      f.end (DENY);
      f.end (DENY);
    }
  else
    {
      for (int number : reaching)
        f.when ((unsigned) number, DENY);
      f.when (SYS_clone3, ABSENT);              /* whose flags are out of sight: the C library then takes clone */
      f.put (BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
      f.load (ARGUMENT (0));
      f.put (BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP, 0, 1);
      f.end (DENY);
      f.end (PASS);
      f.end (PASS);
    }
  struct sock_fprog program = { (unsigned short) f.code.size (), f.code.data () };
  return ! lacks ("seccomp") && syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

static bool have_seccomp (void)
{
  return ! lacks ("seccomp") && (prctl (PR_GET_SECCOMP, 0, 0, 0, 0) >= 0) && ! (syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) != 0 && errno != EFAULT);
}

/* ---- processes: namespaces ----------------------------------------------------------------- */

static void write_to (const char *path, const std::string &text)
{
  const int fd = open (path, O_WRONLY | O_CLOEXEC);
  if (fd >= 0)
    {
      (void) ! write (fd, text.data (), text.size ());
      close (fd);
    }
}

/* Whatever of them the system gives: files and network are closed off without them too.  */
static bool separate (void)
{
  const int kinds[] = { CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWNS, CLONE_NEWUTS };
  const std::string uid = std::to_string (getuid ()), gid = std::to_string (getgid ());
  if (lacks ("namespaces"))
    return false;
  if (unshare (CLONE_NEWUSER) == 0)
    {
      write_to ("/proc/self/setgroups", "deny");
      write_to ("/proc/self/uid_map", uid + " " + uid + " 1");
      write_to ("/proc/self/gid_map", gid + " " + gid + " 1");
    }
  bool pids = false;
  for (int kind : kinds)
    if (unshare (kind) == 0 && kind == CLONE_NEWPID)
      pids = true;
  return pids;
}

static void drop_capabilities (void)
{
  for (int c = 0; c < 64; c++)
    prctl (PR_CAPBSET_DROP, c, 0, 0, 0);
  prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct none[2] = {};
  (void) ! syscall (SYS_capset, &head, none);
}

static void limit (__rlimit_resource_t what, rlim_t most)
{
  const struct rlimit r = { most, most };
  setrlimit (what, &r);
}

/* ---- the program, and who waits for it ------------------------------------------------------ */

[[noreturn]] static void become (const bounds &b, char **argv, bool own_pids, int version)
{
  const int null = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  dup2 (null, 0);
  for (int fd = SIM_FD + (b.alone ? 1 : 0); fd < 4096; fd++)
    close (fd);
  limit (RLIMIT_CORE, 0);
  limit (RLIMIT_CPU, (rlim_t) b.seconds + 2);
  limit (RLIMIT_FSIZE, (rlim_t) b.file << 20);
  limit (RLIMIT_NOFILE, 256);
  /* The simulator keeps its arrays far apart: what it reserves is no measure there.  */
  limit (RLIMIT_DATA, (rlim_t) b.memory << 20);
  limit (RLIMIT_AS, b.alone ? (rlim_t) 96 << 30 : (rlim_t) b.memory << 20);
  limit (RLIMIT_STACK, (rlim_t) 64 << 20);
  if (own_pids && getuid () != 0)
    limit (RLIMIT_NPROC, 64);           /* those of the namespace alone */
  clearenv ();
  setenv ("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  setenv ("LC_ALL", "C", 1);
  setenv ("TMPDIR", b.write ? b.write : "/", 1);
  if (chdir (b.write ? b.write : "/") != 0)
    stop (CONFINE_FAILED, b.write, strerror (errno));
  sigset_t none;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 && ! b.anyway)
    stop (CONFINE_FAILED, "no_new_privs", strerror (errno));
  if (version > 0)
    close_files (b, argv[0], version);
  drop_capabilities ();
  if (! close_calls (b) && ! b.anyway)
    stop (CONFINE_FAILED, "seccomp", strerror (errno));
  execvp (argv[0], argv);
  stop (CONFINE_FAILED, argv[0], strerror (errno));
}

/* The first process of its namespace: with it ends whatever the program has left.  */
[[noreturn]] static void attend (const bounds &b, char **argv, bool own_pids, int version)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  setpgid (0, 0);
  const pid_t program = fork ();
  if (program == 0)
    become (b, argv, own_pids, version);
  close (SIM_FD);
  int status = 0;
  for (;;)
    {
      const pid_t ended = wait (&status);
      if (ended == program || (ended < 0 && errno != EINTR))
        break;
    }
  _exit (WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status));
}

static int await (pid_t child, double seconds)
{
  sigset_t ended;
  struct timespec now, left;
  int status;
  sigemptyset (&ended);
  sigaddset (&ended, SIGCHLD);
  clock_gettime (CLOCK_MONOTONIC, &now);
  const double until = (double) now.tv_sec + 1e-9 * (double) now.tv_nsec + seconds;
  for (;;)
    {
      if (waitpid (child, &status, WNOHANG) == child)
        return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
      clock_gettime (CLOCK_MONOTONIC, &now);
      const double rest = until - (double) now.tv_sec - 1e-9 * (double) now.tv_nsec;
      if (rest <= 0)
        break;
      left.tv_sec = (time_t) rest;
      left.tv_nsec = (long) (1e9 * (rest - (double) left.tv_sec));
      sigtimedwait (&ended, NULL, &left);
    }
  kill (- child, SIGKILL);
  kill (child, SIGKILL);
  while (waitpid (-1, &status, 0) > 0 || errno == EINTR)        /* those too that have lost their parents */
    ;
  return CONFINE_TOO_LONG;
}

static bool take_options (int argc, char **argv, bounds &b, char ***program)
{
  for (int i = 2; i < argc; i++)
    {
      const std::string word = argv[i];
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      if (word == "--")
        {
          *program = argv + i + 1;
          return **program != NULL;
        }
      else if (word == "--alone")
        b.alone = true;
      else if (word == "--anyway")
        b.anyway = true;
      else if (i++, word == "--read")
        b.read.push_back (value);
      else if (word == "--write")
        b.write = value;
      else if (word == "--seconds")
        b.seconds = atof (value);
      else if (word == "--memory")
        b.memory = atol (value);
      else if (word == "--file")
        b.file = atol (value);
      else
        return false;
    }
  return false;
}

int confined (int argc, char **argv)
{
  bounds b = { {}, NULL, 60, 4096, 256, false, false };
  char **program = NULL;
  if (! take_options (argc, argv, b, &program))
    {
      fprintf (stderr, "usage: gpureduce_sim --confined [--read PATH]... [--write FOLDER] [--seconds S] [--memory MIB] [--file MIB] [--alone] [--anyway] -- PROGRAM...\n");
      return 2;
    }
  const int version = landlock_version ();
  const char *missing = version < 1 ? "Landlock (Linux 5.13), which closes off files" : ! have_seccomp () ? "seccomp, which closes off the network" : NULL;
  if (missing && ! b.anyway)
    {
      fprintf (stderr, "cannot be confined: this system has no %s\n", missing);
      return CONFINE_REFUSED;
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  sigset_t ended;
  sigemptyset (&ended);
  sigaddset (&ended, SIGCHLD);
  sigprocmask (SIG_BLOCK, &ended, NULL);
  const bool own_pids = separate ();
  const pid_t child = fork ();
  if (child == 0)
    attend (b, program, own_pids, version);
  if (child < 0)
    stop (CONFINE_FAILED, "fork", strerror (errno));
  close (SIM_FD);
  return await (child, b.seconds);
}

#endif
