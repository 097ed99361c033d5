// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
//
// A frame buffer as firmware leaves it: already on the display, with nothing to configure. Loaded into the guest's
// kernel with the parameters that a boot loader would put into the device tree (the kernel's
// simple-framebuffer.yaml):
//
//   insmod panel.ko driver=simpledrm base=0xfd000000 size=16777216 width=1024 height=768 stride=4096 format=x8r8g8b8

#include <linux/module.h>
#include <linux/platform_data/simplefb.h>
#include <linux/platform_device.h>

static char *driver = "simpledrm", *format = "x8r8g8b8";
static ulong base, size;
static uint width, height, stride;
module_param(driver, charp, 0444);
module_param(format, charp, 0444);
module_param(base, ulong, 0444);
module_param(size, ulong, 0444);
module_param(width, uint, 0444);
module_param(height, uint, 0444);
module_param(stride, uint, 0444);

static struct platform_device *panel;

static int __init panel_init(void)
{
	struct simplefb_platform_data data = {.width = width, .height = height, .stride = stride, .format = format};
	struct resource memory = DEFINE_RES_MEM(base, size);

	panel = platform_device_register_resndata(NULL, driver, 0, &memory, 1, &data, sizeof(data));
	return PTR_ERR_OR_ZERO(panel);
}
module_init(panel_init);

// The module must not be unloaded after the real card's driver has removed the device
// (aperture_remove_conflicting_devices).
static void __exit panel_exit(void)
{
	platform_device_unregister(panel);
}
module_exit(panel_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a simple-framebuffer for tests");
