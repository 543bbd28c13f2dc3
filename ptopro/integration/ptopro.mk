# Releases of ptopro in a Makefile.
#
#   include $(shell ptopro config --make-include)
#   $(eval $(call ptopro_library,my_op,my_op.py,--dtype x=fp16))
#
# makes target my_op, which builds $(PTOPRO_BUILD)/my_op/kernel_meta again when the kernel file or a file that it
# imports changes; $(PTOPRO_BUILD)/my_op.stamp is the file to depend on, $(PTOPRO_BUILD)/my_op/host has the headers of
# its host tiling.
PTOPRO ?= ptopro
PTOPRO_BUILD ?= build

define ptopro_library
.PHONY: $(1)
$(1): $(PTOPRO_BUILD)/$(1).stamp
$(PTOPRO_BUILD)/$(1).stamp: $(2)
	$(PTOPRO) build --release $(2) --op $(1) -o $(PTOPRO_BUILD) --depfile --quiet $(3)
-include $(PTOPRO_BUILD)/$(1).d
endef
