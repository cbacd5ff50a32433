// The text that std::format puts together in libc++, in memory of its own: a character that is put at a place which is
// not known leads to nothing else then.
#ifndef XGEN_FORMAT_BUFFER
#define XGEN_FORMAT_BUFFER
#if !__has_include(<__config>)
#  include_next <__format/buffer.h>
#else
#  include <__config>
#  pragma GCC system_header
#  include <__algorithm/copy_n.h>
#  include <__algorithm/ranges_copy_n.h>
#  include <__fwd/string.h>
#  include <stdexcept>
#  include <string_view>

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _From, class _Size, class _To>
_LIBCPP_HIDE_FROM_ABI constexpr _To __xgen_copy_n(_From __from, _Size __n, _To __to) {
  for (; __n; --__n, ++__from, ++__to)
    *__to = *__from;
  return __to;
}

_LIBCPP_END_NAMESPACE_STD

#  pragma push_macro("copy_n")
#  define copy_n __xgen_copy_n
#  define __allocating_buffer __xgen_library_buffer
#  include_next <__format/buffer.h>
#  undef __allocating_buffer
#  pragma pop_macro("copy_n")
#  if _LIBCPP_STD_VER >= 20

_LIBCPP_BEGIN_NAMESPACE_STD
namespace __format {

template <class _CharT>
struct __xgen_format {
  const _CharT* __ptr;
  size_t __size;
  operator basic_string<_CharT>() const { return basic_string<_CharT>(__ptr, __size); }
};

template <class _CharT>
class __allocating_buffer : public __output_buffer<_CharT> {
  using _Alloc = allocator<_CharT>;
  static constexpr size_t __room = 256;
  _CharT* __ptr_;

  explicit __allocating_buffer(_CharT* __ptr)
      : __output_buffer<_CharT>{__ptr, __room, __prepare_write}, __ptr_(__ptr) {}

  void __grow_buffer(size_t __capacity) {
    _CharT* __larger = _Alloc{}.allocate(__capacity);
    std::copy_n(__ptr_, this->__size(), __larger);
    _Alloc{}.deallocate(__ptr_, this->__capacity());
    __ptr_ = __larger;
    this->__buffer_moved(__ptr_, __capacity);
  }

  static void __prepare_write(__output_buffer<_CharT>& __buffer, size_t __more) {
    size_t __before = __buffer.__capacity();
    static_cast<__allocating_buffer&>(__buffer).__grow_buffer(__before + (__more > __before ? __more : __before));
  }

public:
  __allocating_buffer() : __allocating_buffer(_Alloc{}.allocate(__room)) {}
  __allocating_buffer(const __allocating_buffer&)            = delete;
  __allocating_buffer& operator=(const __allocating_buffer&) = delete;
  ~__allocating_buffer() { _Alloc{}.deallocate(__ptr_, this->__capacity()); }

  __xgen_format<_CharT> __view() { return {__ptr_, this->__size()}; }
};

} // namespace __format
_LIBCPP_END_NAMESPACE_STD

#  endif
#endif
#endif
