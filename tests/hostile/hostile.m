## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## students = hostile (FOLDER, KEY, OUTSIDE): writes hostile submissions for the exercise hostile/exercise.json into
## FOLDER; KEY is a file that they try to read, OUTSIDE a folder whose files they try to change.  The kernel of each is
## wrong, so none has earned a point.
function students = hostile (folder, key, outside)

  students = {};
  families = {processes(), loops(), memory(), network(), reading(key), writing(outside), marks(), unseen(), descriptors(), printing(), killing()};
  names = {"processes", "loops", "memory", "network", "reading", "writing", "marks", "unseen", "descriptors", "printing", "killing"};
  for f = 1:numel (families)
    for k = 1:size (families{f}, 1)
      students{end+1} = sprintf ("%s-%d", names{f}, k);
      put (fullfile (folder, [students{end} ".cu"]), kernel (families{f}{k,:}));
    endfor
  endfor
  students = [students, forms(folder, key)];

endfunction

## TOP before the kernel, IN within it, LINE in place of the one that describes it.
function code = kernel (top, in = "", line = "PLAIN_REDUCE (my_sum, int)")
  code = [top "\n" ...
          "__global__ void my_sum (const int *in, int *out, unsigned n)\n{\n  extern __shared__ int s[];\n" ...
          "  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  s[t] = i < n ? in[i] : 0;\n" ...
          "  for (unsigned step = blockDim.x / 2; step > 0; step /= 2)\n    {\n      __syncthreads ();\n      if (t < step)\n        s[t] += s[t + step];\n    }\n" ...
          in "\n  if (t == 0)\n    out[blockIdx.x] = s[0] + 1;\n}\n" line "\n"];
endfunction

function put (file, text)
  fid = fopen (file, "w");
  fputs (fid, text);
  fclose (fid);
endfunction

## The same function declared by hand, and called in the kernel.
function c = calls (declaration, call)
  c = {["extern \"C\" " declaration ";"], [call ";"]};
endfunction

## Called before there is a kernel, by what initialises a variable.
function c = begins (body)
  c = {["static int begin ()\n{\n" body "\n  return 1;\n}\nint begun = begin ();"]};
endfunction

function c = processes ()
  c = [calls("int fork ()", "for (;;) fork ()")
       calls("int vfork ()", "for (;;) vfork ()")
       calls("int system (const char *)", "system (\"sh -c 'while :; do sh & done'\")")
       calls("long syscall (long, ...)", "for (;;) syscall (57)")
       calls("int execl (const char *, const char *, ...)", "execl (\"/bin/sh\", \"sh\", (char *) 0)")
       {"#include <thread>", "std::thread t2 ([] { for (;;) ; }); t2.detach ();"}
       {"#include <pthread.h>\nvoid *go (void *) { for (;;) ; }", "pthread_t p; pthread_create (&p, 0, go, 0);"}
       calls("void *dlopen (const char *, int)", "dlopen (\"libc.so.6\", 2)")];
endfunction

function c = loops ()
  wide = "#define A0 int int int int int int int int int int\n";
  for k = 1:9
    wide = [wide sprintf("#define A%d %s\n", k, strtrim (repmat (sprintf ("A%d ", k - 1), 1, 10)))];
  endfor
  c = {"", "for (;;) ;"
       "", "for (;;) __syncthreads ();"
       "", "for (;;) s[t] += 1;"
       "", "for (volatile int k = 1; k; ) ;"
       "__device__ int more (int k) { return more (k + 1) + 1; }", "s[t] += more (n);"
       [wide "A9 x;"], ""
       "#include __FILE__", ""
       "template <int N> struct T { static const int v = T<N + 1>::v + T<N + 2>::v; };\nint z = T<0>::v;", ""
       "constexpr long f (long n) { long s = 0; for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) s += i; return s; }\nstatic_assert (f (200000) == 0);", ""
       "template <class T> struct P { typename P<P<T>>::x y; };\nP<int> p;", ""
       "constexpr int fib (int n) { return n < 2 ? n : fib (n - 1) + fib (n - 2); }\nconstexpr int big = fib (60);", ""};
  c(end+1,:) = [begins("for (;;) ;"), {""}];
endfunction

function c = memory ()
  c = {"", "for (;;) { char *p = (char *) malloc (100000000000ull); if (p) p[n] = 1; }"
       "__device__ char big[100000000000ull];", "big[(size_t) n * 4096 * t] = 1;"
       "__device__ char big[3000000000ull] = { 1 };", "s[t] += big[t];"
       "", "char big[n * 100000]; big[t] = 1; s[t] += big[t];"
       "", "char big[2000000000]; big[t] = 1; s[t] += big[t];"
       "", "char *p = (char *) __builtin_alloca (n * 1000000ul); *p = 1;"
       "", "__shared__ char big[1000000000]; big[t] = 1;"
       "", "int *p = new int[25000000000]; p[0] = 1;"
       "#include <utility>\nauto q = std::make_index_sequence<2000000000> ();", ""
       "template <int... N> struct L {};\ntemplate <int N, int... M> struct G { typedef typename G<N - 1, N, M...>::t t; };\nG<190>::t *a; constexpr char c[1 << 30] = {}; char d[sizeof c];", "s[t] += c[t];"};
  c = [c; calls("void *mmap (void *, unsigned long, int, int, int, long)", "mmap (0, 100000000000ul, 3, 0x22, -1, 0)")];
endfunction

function c = network ()
  c = [calls("int socket (int, int, int)", "socket (2, 1, 0)")
       {"#include <sys/socket.h>", "socket (AF_INET, SOCK_STREAM, 0);"}
       calls("long syscall (long, ...)", "syscall (41, 2, 1, 0)")
       calls("int system (const char *)", "system (\"curl -s http://127.0.0.1/ || wget -q -O - http://127.0.0.1/\")")
       calls("int getaddrinfo (const char *, const char *, const void *, void **)", "void *a; getaddrinfo (\"localhost\", \"80\", 0, &a)")
       {"#include \"/dev/tcp/127.0.0.1/80\"", ""}];
endfunction

function c = reading (key)
  c = {sprintf("#include \"%s\"", key), ""
       sprintf("#include <%s>", key), ""
       sprintf("static const char text[] = {\n#include \"%s\"\n};", key), ""
       sprintf("__asm__ (\".incbin \\\"%s\\\"\");", key), ""
       sprintf("asm (\".include \\\"%s\\\"\");", key), ""
       sprintf("#define A(x, y) x ## y\nA (__as, m__) (\".incbin \\\"%s\\\"\");", key), ""
       sprintf("#if ! __has_include (\"%s\")\n#error there is no key\n#endif\n#include \"%s\"", key, key), ""
       "#include \"/proc/self/environ\"", ""
       "#include \"/proc/self/cmdline\"", ""
       "#include \"/etc/shadow\"", ""
       "#include \"/dev/stdin\"", ""
       "#include <fstream>\n#include <string>", sprintf("std::ifstream f (\"%s\"); std::string s2; f >> s2; printf (\"%%s\", s2.c_str ());", key)
       "", sprintf("FILE *f = fopen (\"%s\", \"r\"); char q[100] = \"\"; fgets (q, 100, f); printf (\"%%s\", q);", key)
       "#include <fcntl.h>", sprintf("int f = open (\"%s\", 0);", key)
       "", "printf (\"%s\", getenv (\"HOME\"));"
       "", "for (long a = 0x550000000000; ; a += 4096) printf (\"%s\", (const char *) a);"};
  c = [c; calls("long ptrace (int, int, void *, void *)", "ptrace (16, 1, 0, 0)")
       calls("long process_vm_readv (int, const void *, long, const void *, long, long)", "process_vm_readv (1, 0, 0, 0, 0, 0)")];
endfunction

function c = writing (outside)
  file = fullfile (outside, "marks.csv");
  c = [{"", sprintf("FILE *f = fopen (\"%s\", \"w\"); fputs (\"all,10\", f); fclose (f);", file)}
       calls("int open (const char *, int, ...)", sprintf ("open (\"%s\", 01001, 0644)", file))
       calls("int unlink (const char *)", sprintf ("unlink (\"%s\")", file))
       calls("int rename (const char *, const char *)", sprintf ("rename (\"%s\", \"%s.old\")", file, file))
       calls("int truncate (const char *, long)", sprintf ("truncate (\"%s\", 0)", file))
       calls("int symlink (const char *, const char *)", sprintf ("symlink (\"%s\", \"report\")", file))
       calls("int chmod (const char *, int)", sprintf ("chmod (\"%s\", 0)", file))
       calls("int remove (const char *)", sprintf ("remove (\"%s\")", file))
       {sprintf("#pragma GCC dependency \"%s\"\n#pragma GCC pch_preprocess \"%s\"", file, file), ""}];
endfunction

## What the simulator's process hands back.
function c = marks ()
  c = [calls("long write (int, const void *, unsigned long)", "char q[64] = {}; write (3, q, 64)")
       calls("long pwrite (int, const void *, unsigned long, long)", "char q[64] = {}; pwrite (3, q, 64, 0)")
       calls("long write (int, const void *, unsigned long)", "for (int f = 0; f < 256; f++) write (f, \"{}\", 2)")
       {"", "FILE *f = fopen (\"report\", \"w\"); fputs (\"{\\\"result\\\":0,\\\"fault\\\":null}\", f); fclose (f);"}
       calls("int open (const char *, int, ...)", "open (\"/proc/self/mem\", 2)")
       calls("int atexit (void (*) ())", "atexit ([] {})")
       {"#include <setjmp.h>", "jmp_buf b; longjmp (b, 1);"}
       {"struct end { ~end () { *(volatile int *) 0 = 1; } } at_end;", ""}
       {"extern int F;", "F = 0;"}
       {"extern bool want_report;", "want_report = false;"}
       {"extern \"C\" void *sim_now;", "sim_now = 0;"}
       {"", "*(unsigned *) &threadIdx = 0; *(unsigned *) &blockDim = 1; s[t] += (int) (threadIdx.x + blockDim.x);"}
       {"__device__ int mine = 5;", "for (long k = -65536; k < 65536; k += 8) *(volatile long *) (((long) &mine & -8) + k) = 0;"}
       {"", "for (long a = 0x7f0000000000; ; a += 65536) *(volatile long *) a = 0;"}
       {"", "int *x = (int *) in; for (unsigned k = 0; k < n; k++) x[k] = 0;"}
       {"", "for (unsigned k = 0; k < 1000000; k++) out[k] = 0;"}];
  c(end+1,:) = [begins("  for (long k = 0; k < 100; k++) ((volatile long *) &k)[k] = 0;"), {""}];
  c(end+1,:) = [begins("  *(volatile int *) &printf = 0;"), {""}];
endfunction

## Past the instrumentation.
function c = unseen ()
  c = {"__attribute__ ((no_sanitize (\"thread\"))) void f (int *p) { *p = 1; }", ""
       "[[gnu::no_sanitize_thread]] void f (int *p) { *p = 1; }", ""
       "#pragma GCC optimize (\"O3\")", ""
       "_Pragma (\"GCC push_options\")", ""
       "__attribute__ ((constructor)) void f () { for (;;) ; }", ""
       "__attribute__ ((section (\".init_array\"))) void *f = 0;", ""
       "extern \"C\" void __tsan_write4 (void *) {}\nextern \"C\" void __tsan_read4 (void *) {}", ""
       "extern \"C\" void *memset (void *p, int, size_t) { return p; }", ""
       "extern \"C\" int printf (const char *, ...) { return 0; }", ""
       "extern \"C\" void __syncthreads () {}", ""
       "int f () __asm__ (\"exit\");", "f ();"
       "void g () __attribute__ ((alias (\"h\"))); extern \"C\" void h () {}", ""
       "", "__asm__ volatile (\"syscall\");"
       "", "__as\\\nm__ (\"hlt\");"
       "", "((void (*) ()) 0x400000) ();"
       "", "void (*volatile f) () = (void (*) ()) in; f ();"
       "struct V { virtual void f () {} };\n__device__ V v0;", "long w[2] = { 1, 2 }; V *volatile v = (V *) w; v->f ();"
       "", "void *to[2] = { &&a, &&b }; goto *to[t & 1]; a: b: ;"
       "", "long a[2] = {}; long *volatile q = a; for (int k = 0; k < 64; k++) q[k] = 0x400000;"
       "", "long a[2] = {}; a[n & 63] = 0x400000; s[t] += a[0];"
       "", "long a[2] = {}; *(long *) ((char *) a + 40) = 0x400000; s[t] += a[0];"
       "", "long a[2] = {}; long *volatile q = a; memset ((void *) q, 0x41, 4096);"
       "", "long a[2] = {}; long *volatile q = a; atomicExch ((unsigned long long *) q + 4, 0x400000ull); atomicExch ((unsigned long long *) q + 6, 0x400000ull); atomicExch ((unsigned long long *) q + 3, 0x400000ull); q[5] = 1;"
       "", "int got = 0; printf (\"%4196000d%n\", 1, (int *) 0x400000);"
       "", "__builtin_memcpy ((void *) 0x400000, in, 4096);"
       "", "__atomic_store_n ((int *) 0x400000, 1, 0);"
       "struct S { long a, b; };\n__attribute__ ((noinline)) S f (long x) { return { x, 2 }; }", "*(S *) 0x400000 = f (3);"
       "struct S { long a[8]; };\n__attribute__ ((noinline)) S f (long x) { S q = {}; q.a[x & 7] = x; return q; }", "*(S *) 0x400000 = f (3);"
       "struct S { long a[8]; };\n__attribute__ ((noinline)) S f (long x) { S q = {}; q.a[x & 7] = x; return q; }", "long w = 0; *(S *) &w = f (3); s[t] += w;"
       "const int own[4] = { 1, 2, 3, 4 };", "const_cast<int (&)[100000]> (reinterpret_cast<const int (&)[100000]> (own))[n] = 5;"
       "", "*(unsigned *) ((char *) &threadIdx + 4096) = 0;"
       "", "int w[4] = {}; reinterpret_cast<int (&)[100000]> (w)[n & 255] = 5; s[t] += w[0];"
       "struct V { int x; virtual void f () {} };\nvoid *operator new (size_t, void *p) noexcept;", "new ((void *) 0x400000) V;"
       "#include <atomic>", "((std::atomic<int> *) 0x400000)->store (1);"
       "#include <immintrin.h>", "_mm_stream_si32 ((int *) 0x400000, 1);"
       "", "double d; modf (1.5, (double *) 0x400000); d = frexp (2.0, (int *) 0x400000); s[t] += d;"};
endfunction

function c = descriptors ()
  line = @(body) ["LADDER_VARIANT (my_sum) { LADDER_SET (v, LADDER_SUM, LADDER_INT32, k2<Sum<int>>) " body " }"];
  top = "template <class Op> __global__ void k2 (reduce_args<Op> a) { finish (a, Op::identity ()); }";
  bodies = {"for (;;) ;", "exit (0);", "abort ();", "v.name = NULL;", "v.name = (const char *) 0x1234;", "v.aliases = (const char *) 0x1234;", ...
            "v.kernel[0][2][0] = (const void *) 0x1234;", "v.kernel[0][2][0] = (const void *) &printf;", "v.kernel[0][2][0] = (const void *) &threadIdx;", ...
            "v.host = (decltype (v.host)) 0x1234;", "v.first = &v;", "v.plain = (decltype (v.plain)) 0x1234;", "v.shared_fixed = 2000000000;", ...
            "v.per_thread = 2000000000;", "v.per_thread = -1;", "(&v)[1000].rank = 1;", "(&v)[-1000].rank = 1;", "*(volatile long *) __func__ = 1;", ...
            "memset (&v, 0x41, sizeof v);", "memset (&v, 0x41, 1000000);"};
  c = cell (numel (bodies), 3);
  for k = 1:numel (bodies)
    c(k,:) = {top, "", line(bodies{k})};
  endfor
endfunction

function c = printing ()
  c = {"", "for (;;) printf (\"on and on\\n\");"
       "", "for (int k = 0; k < 1000000; k++) printf (\"%1000d\\n\", k);"
       "", "printf (\"<script>alert (1)</script>\\033[2J\\033]0;owned\\007\\r10 of 10 points\\n\");"
       "", "puts (\"\\\"},\\\"fault\\\":null,\\\"result\\\":0}\");"
       repmat("#warning on and on\n", 1, 5000), ""
       ["template <class T> void f () { T::x; }\n" repmat("template void f<int> ();\n", 1, 5000)], ""
       "#error <script>alert (1)</script>", ""
       "#line 1 \"<img src=x onerror=alert(1)>\"\nnonsense;", ""};
  c = [c; calls("long write (int, const void *, unsigned long)", "for (;;) write (1, \"on and on\", 9)")];
endfunction

function c = killing ()
  c = [calls("int kill (int, int); extern \"C\" int getppid ()", "kill (getppid (), 9)")
       calls("int kill (int, int)", "kill (-1, 9)")
       calls("int kill (int, int)", "kill (0, 9)")
       calls("int raise (int)", "raise (9)")
       calls("long syscall (long, ...)", "syscall (62, -1, 9)")
       calls("void (*signal (int, void (*) (int))) (int)", "signal (14, (void (*) (int)) 1); for (;;) ;")
       calls("unsigned alarm (unsigned)", "alarm (0); for (;;) ;")
       calls("void exit (int)", "exit (0)")
       calls("void _exit (int)", "_exit (0)")
       calls("int setuid (int)", "setuid (0)")
       {"", "abort ();"}
       {"", "__trap ();"}
       {"", "*(volatile int *) 0 = 1;"}
       {"", "s[t] /= (int) (t - t);"}
       {"#include <assert.h>", "assert (n == 0);"}];
endfunction

## What is no honest file.
function students = forms (folder, key)

  code = kernel ("");
  at = @(name) [folder filesep name];
  quoted = @(name) ["'" strrep(name, "'", "'\"'\"'") "'"];
  students = {};
  for name = {"a$(touch PWNED)", "b`touch PWNED`", "c;touch PWNED", "<script>alert(1)</script>", "=1+1", "@SUM(1)", "-rf", "'", "\"", "new\nline", ...
              "\xff\xfe", "&amp; <b>", "%s%n%d", "*?[a]"}
    students{end+1} = name{1};
    if (! any (name{1} == "/"))
      put (at ([name{1} ".cu"]), code);
    else
      students{end} = strrep (name{1}, "/", "_");
      put (at ([students{end} ".cu"]), code);
    endif
  endfor
  symlink (key, at ("link.cu"));
  symlink ("/etc/passwd", at ("passwd.cu"));
  symlink ("nowhere", at ("nowhere.cu"));
  symlink ("circle.cu", at ("circle.cu"));
  system (["mkfifo " quoted(at ("pipe.cu"))]);
  mkdir (at ("folder.cu"));
  mkdir (at ("within"));
  symlink (key, at ("within/hostile.cu"));
  mkdir (at ("piped"));
  system (["mkfifo " quoted(at ("piped/hostile.cu"))]);
  put (at ("empty.cu"), "");
  put (at ("nul.cu"), ["int x;\0" code]);
  put (at ("noise.cu"), char (mod ((1:2000) .^ 2 * 7, 255) + 1));
  system (["truncate -s 10G " quoted(at ("sparse.cu"))]);
  students = [students, {"link", "passwd", "nowhere", "circle", "pipe", "folder.cu", "within", "piped", "empty", "nul", "noise", "sparse"}];

endfunction
