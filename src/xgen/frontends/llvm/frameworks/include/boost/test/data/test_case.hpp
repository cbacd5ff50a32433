#pragma once
#error "xgen does not read test cases with data of Boost.Test (boost/test/data)"
