## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## The module stays usable, and Octave alive, whatever is done to the package
## while it is loaded.  BINARY_PACKAGE: the tarball to install over it.

assert (gpu_sum (1:10), 55);
clear all
assert (gpu_sum (1:10), 55);
clear functions
assert (gpu_sum (1:10), 55);

pkg unload gpureduce
assert (isempty (which ("gpu_sum")));
pkg load gpureduce
assert (gpu_sum (1:10), 55);

pkg ("install", getenv ("BINARY_PACKAGE"));
pkg load gpureduce
assert (gpu_sum (1:10), 55);

pkg unload gpureduce
pkg ("install", getenv ("BINARY_PACKAGE"));
pkg load gpureduce
assert (gpu_sum (1:10), 55);

pkg uninstall gpureduce
pkg ("install", getenv ("BINARY_PACKAGE"));
pkg load gpureduce
assert (gpu_sum (1:10), 55);
