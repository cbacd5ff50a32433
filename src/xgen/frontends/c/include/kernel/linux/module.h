#pragma once
#include <linux/moduleparam.h>
