// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
//
// A backlight without hardware, called "lamp", with values from 0 to 20. Loaded into the guest's kernel.

#include <linux/backlight.h>
#include <linux/module.h>

static struct backlight_device *lamp;

static int lamp_update(struct backlight_device *device)
{
	return 0;
}

static const struct backlight_ops lamp_ops = {.update_status = lamp_update};

static int __init lamp_init(void)
{
	struct backlight_properties properties = {.type = BACKLIGHT_RAW, .max_brightness = 20, .brightness = 16};

	lamp = backlight_device_register("lamp", NULL, NULL, &lamp_ops, &properties);
	return PTR_ERR_OR_ZERO(lamp);
}
module_init(lamp_init);

static void __exit lamp_exit(void)
{
	backlight_device_unregister(lamp);
}
module_exit(lamp_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a backlight for tests");
