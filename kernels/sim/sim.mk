# Copyright (C) 2026 The gpureduce developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The simulator's executable, gpureduce_sim, made in the current folder.  Set
# SIM_DIR to the folder of this file, relative to it; CXX, CXXFLAGS and
# BOOST_LIBS (empty: fibers by ucontext, slower) where they differ.

SIM_DIR ?= ../kernels/sim
SIM_LADDER ?= $(SIM_DIR)/../ladder
BOOST_LIBS ?= -lboost_context
SIM_COMMON = -std=gnu++17 -fno-exceptions -fno-omit-frame-pointer -ffp-contract=off -fno-math-errno -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-parameter \
  $(if $(strip $(BOOST_LIBS)),,-DGPR_NO_BOOST)
# Instrumented: ladder files and what is compiled like them.  At -O1 a load of 16
# bytes would become four; copies are calls, so that they are seen.
SIM_FLAGS = -std=gnu++17 -Og -g1 -gdwarf-4 -fno-exceptions -fsanitize=thread -fsanitize-coverage=trace-pc \
  --param tsan-distinguish-volatile=1 -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -ffp-contract=off -fvisibility=hidden -fno-gnu-unique -fno-extern-tls-init \
  -Wno-tsan -Wno-unknown-pragmas -DLADDER_SIM

# module.cu is for the GPU.  Of the libraries' rows only the descriptors are compiled.
SIM_VARIANTS = $(filter-out module.cu, $(notdir $(wildcard $(SIM_LADDER)/*.cu)))
SIM_BUGS = $(notdir $(wildcard $(SIM_LADDER)/bugs/*.cu))
SIM_RUNTIME_SOURCES = $(filter-out module, $(basename $(notdir $(wildcard $(SIM_DIR)/*.cpp))))
SIM_OBJECTS = $(SIM_RUNTIME_SOURCES:%=sim_%.o) sim_second_pass.o sim_module.o \
  sim_ladder_variants.o $(SIM_BUGS:%.cu=sim_ladder_%.o)
SIM_HEADERS = $(wildcard $(SIM_DIR)/*.h $(SIM_LADDER)/*.h $(SIM_DIR)/../common/*.h $(SIM_DIR)/../ops/*.h)

# The hooks never see the sanitizer's library: no -fsanitize here.  Modules of
# users find them in the executable.
gpureduce_sim: $(SIM_OBJECTS)
	$(CXX) -rdynamic -Wl,--compress-debug-sections=zlib -o $@ $(SIM_OBJECTS) $(BOOST_LIBS) -ldl

$(SIM_RUNTIME_SOURCES:%=sim_%.o): sim_%.o: $(SIM_DIR)/%.cpp $(SIM_HEADERS)
	$(CXX) $(SIM_COMMON) -O2 -g1 $(CXXFLAGS) -c -o $@ $<

sim_second_pass.o: $(SIM_DIR)/second_pass.cu $(SIM_HEADERS)
	$(CXX) -x c++ $(SIM_FLAGS) -c -o $@ $<
sim_module.o: $(SIM_DIR)/module.cpp $(SIM_HEADERS)
	$(CXX) $(SIM_FLAGS) -c -o $@ $<
sim_ladder_variants.o: $(SIM_VARIANTS:%=$(SIM_LADDER)/%) $(SIM_HEADERS)
	printf '#include "%s"\n' $(SIM_VARIANTS) | $(CXX) -x c++ $(SIM_FLAGS) -I$(SIM_LADDER) -c -o $@ -
sim_ladder_%.o: $(SIM_LADDER)/bugs/%.cu $(SIM_HEADERS)
	$(CXX) -x c++ $(SIM_FLAGS) -I$(SIM_LADDER) -c -o $@ $<

# How a user's ladder file becomes a module: printed for whoever runs it, with
# FILE and OUT in place of the two names (arrays declared extern __shared__ apart: build-variant).  Without the default libraries the
# sanitizer's stays away; all else is in the executable.
.PHONY: sim-module-command sim-objects sim-clean
sim-module-command:
	@echo '$(CXX) $(SIM_FLAGS) -fPIC -shared -nodefaultlibs -I$(SIM_LADDER) -I$(SIM_DIR)/include -o OUT -x c++ FILE $(SIM_DIR)/module.cpp'
# What a program with a main of its own links.
sim-objects:
	@echo '$(filter-out sim_main.o, $(SIM_OBJECTS))'
sim-clean:
	rm -f gpureduce_sim sim_*.o
