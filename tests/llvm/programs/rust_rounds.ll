target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@_ZN11rust_rounds1X17h84f7fdd3927ef025E = internal global [4 x i8] zeroinitializer, align 4, !dbg !0
@alloc_9cd20c3e415f4d39f0ceb012cb758628 = private unnamed_addr constant [40 x i8] c"there is no such thing as a release load", align 1
@alloc_e17502e153481471943c37e20438384b = private unnamed_addr constant [80 x i8] c"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/sync/atomic.rs\00", align 1
@alloc_b7d26e4bc52b7f02cc25e37f0bf633e4 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\005\0F\00\00\18\00\00\00" }>, align 8
@alloc_96ab912d0054b46da785b206a96c9a45 = private unnamed_addr constant [49 x i8] c"there is no such thing as an acquire-release load", align 1
@alloc_738c866d826467e54726b360a2118a62 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\006\0F\00\00\17\00\00\00" }>, align 8
@alloc_bf39103a6db665396aab4632362d9353 = private unnamed_addr constant [42 x i8] c"there is no such thing as an acquire store", align 1
@alloc_a574beff59ab58cf5ed2d6bc163e2302 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\00&\0F\00\00\18\00\00\00" }>, align 8
@alloc_00c0bce0fa6327f8ec8e69d6d765d508 = private unnamed_addr constant [50 x i8] c"there is no such thing as an acquire-release store", align 1
@alloc_aec0388915b72a4f610ad656c35be884 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\00'\0F\00\00\17\00\00\00" }>, align 8
@alloc_603599af3d8251112d893406a70a5ae8 = private unnamed_addr constant [15 x i8] c"rust_rounds.rs\00", align 1
@alloc_c8bf0b057cc08f0e84913c53d5a2e107 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_603599af3d8251112d893406a70a5ae8, [16 x i8] c"\0E\00\00\00\00\00\00\00 \00\00\00\09\00\00\00" }>, align 8
@alloc_56cc9c28ac2d65eb454f325f7feee097 = private unnamed_addr constant [31 x i8] c"assertion failed: value == last", align 1
@alloc_aa087cd719b19bcb9b21d25128be7977 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_603599af3d8251112d893406a70a5ae8, [16 x i8] c"\0E\00\00\00\00\00\00\00\22\00\00\00\0D\00\00\00" }>, align 8
@alloc_45d24db95a74b26a28892535f54b5b70 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_603599af3d8251112d893406a70a5ae8, [16 x i8] c"\0E\00\00\00\00\00\00\00#\00\00\00\14\00\00\00" }>, align 8

; __rustc::rust_begin_unwind
; Function Attrs: noreturn nounwind nonlazybind uwtable
define void @_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind(ptr align 8 %_1) unnamed_addr #0 !dbg !36 {
start:
  %_1.dbg.spill = alloca [8 x i8], align 8
  store ptr %_1, ptr %_1.dbg.spill, align 8
    #dbg_declare(ptr %_1.dbg.spill, !167, !DIExpression(), !168)
  br label %bb1, !dbg !169

bb1:                                              ; preds = %bb1, %start
  br label %bb1, !dbg !169
}

; rust_rounds::read
; Function Attrs: nounwind nonlazybind uwtable
define internal { i32, i32 } @_ZN11rust_rounds4read17h333ce3b442fb246dE(i32 %round) unnamed_addr #1 !dbg !170 {
start:
  %round.dbg.spill = alloca [4 x i8], align 4
  %_0 = alloca [8 x i8], align 4
  store i32 %round, ptr %round.dbg.spill, align 4
    #dbg_declare(ptr %round.dbg.spill, !186, !DIExpression(), !187)
; call core::sync::atomic::AtomicU32::load
  %_3 = call i32 @_ZN4core4sync6atomic9AtomicU324load17hf2ba4b147bea2371E(ptr align 4 @_ZN11rust_rounds1X17h84f7fdd3927ef025E, i8 0) #4, !dbg !188
  %_2 = icmp eq i32 %_3, 1, !dbg !189
  br i1 %_2, label %bb2, label %bb3, !dbg !189

bb3:                                              ; preds = %start
  %0 = getelementptr inbounds i8, ptr %_0, i64 4, !dbg !190
  store i32 %round, ptr %0, align 4, !dbg !190
  store i32 1, ptr %_0, align 4, !dbg !190
  br label %bb4, !dbg !191

bb2:                                              ; preds = %start
  store i32 0, ptr %_0, align 4, !dbg !192
  br label %bb4, !dbg !191

bb4:                                              ; preds = %bb2, %bb3
  %1 = load i32, ptr %_0, align 4, !dbg !193
  %2 = getelementptr inbounds i8, ptr %_0, i64 4, !dbg !193
  %3 = load i32, ptr %2, align 4, !dbg !193
  %4 = insertvalue { i32, i32 } poison, i32 %1, 0, !dbg !193
  %5 = insertvalue { i32, i32 } %4, i32 %3, 1, !dbg !193
  ret { i32, i32 } %5, !dbg !193
}

; rust_rounds::write
; Function Attrs: nounwind nonlazybind uwtable
define internal ptr @_ZN11rust_rounds5write17h1bd73a2799796dd4E(ptr %_1) unnamed_addr #1 !dbg !194 {
start:
  %_1.dbg.spill = alloca [8 x i8], align 8
  store ptr %_1, ptr %_1.dbg.spill, align 8
    #dbg_declare(ptr %_1.dbg.spill, !199, !DIExpression(), !200)
; call core::sync::atomic::AtomicU32::store
  call void @_ZN4core4sync6atomic9AtomicU325store17h1a311a5f69020b62E(ptr align 4 @_ZN11rust_rounds1X17h84f7fdd3927ef025E, i32 1, i8 0) #4, !dbg !201
  ret ptr null, !dbg !202
}

; core::sync::atomic::atomic_load
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define i32 @_ZN4core4sync6atomic11atomic_load17hb0cf39380df34865E(ptr %dst, i8 %order) unnamed_addr #2 !dbg !203 {
start:
  %s.dbg.spill1 = alloca [16 x i8], align 8
  %s.dbg.spill = alloca [16 x i8], align 8
  %order.dbg.spill = alloca [1 x i8], align 1
  %dst.dbg.spill = alloca [8 x i8], align 8
  %_0 = alloca [4 x i8], align 4
  store ptr %dst, ptr %dst.dbg.spill, align 8
    #dbg_declare(ptr %dst.dbg.spill, !209, !DIExpression(), !211)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !210, !DIExpression(), !212)
  %_3 = zext i8 %order to i64, !dbg !213
  switch i64 %_3, label %bb1 [
    i64 0, label %bb6
    i64 1, label %bb3
    i64 2, label %bb5
    i64 3, label %bb2
    i64 4, label %bb4
  ], !dbg !214

bb1:                                              ; preds = %start
  unreachable, !dbg !213

bb6:                                              ; preds = %start
  %0 = load atomic i32, ptr %dst monotonic, align 4, !dbg !215
  store i32 %0, ptr %_0, align 4, !dbg !215
  br label %bb7, !dbg !215

bb3:                                              ; preds = %start
  store ptr @alloc_9cd20c3e415f4d39f0ceb012cb758628, ptr %s.dbg.spill, align 8, !dbg !216
  %1 = getelementptr inbounds i8, ptr %s.dbg.spill, i64 8, !dbg !216
  store i64 40, ptr %1, align 8, !dbg !216
    #dbg_declare(ptr %s.dbg.spill, !217, !DIExpression(), !224)
    #dbg_declare(ptr %s.dbg.spill, !225, !DIExpression(), !233)
    #dbg_declare(ptr %s.dbg.spill, !236, !DIExpression(), !241)
    #dbg_declare(ptr %s.dbg.spill, !243, !DIExpression(), !252)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_9cd20c3e415f4d39f0ceb012cb758628, ptr inttoptr (i64 81 to ptr), ptr align 8 @alloc_b7d26e4bc52b7f02cc25e37f0bf633e4) #5, !dbg !216
  unreachable, !dbg !216

bb5:                                              ; preds = %start
  %2 = load atomic i32, ptr %dst acquire, align 4, !dbg !255
  store i32 %2, ptr %_0, align 4, !dbg !255
  br label %bb7, !dbg !255

bb2:                                              ; preds = %start
  store ptr @alloc_96ab912d0054b46da785b206a96c9a45, ptr %s.dbg.spill1, align 8, !dbg !256
  %3 = getelementptr inbounds i8, ptr %s.dbg.spill1, i64 8, !dbg !256
  store i64 49, ptr %3, align 8, !dbg !256
    #dbg_declare(ptr %s.dbg.spill1, !217, !DIExpression(), !257)
    #dbg_declare(ptr %s.dbg.spill1, !225, !DIExpression(), !258)
    #dbg_declare(ptr %s.dbg.spill1, !236, !DIExpression(), !260)
    #dbg_declare(ptr %s.dbg.spill1, !243, !DIExpression(), !262)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_96ab912d0054b46da785b206a96c9a45, ptr inttoptr (i64 99 to ptr), ptr align 8 @alloc_738c866d826467e54726b360a2118a62) #5, !dbg !256
  unreachable, !dbg !256

bb4:                                              ; preds = %start
  %4 = load atomic i32, ptr %dst seq_cst, align 4, !dbg !264
  store i32 %4, ptr %_0, align 4, !dbg !264
  br label %bb7, !dbg !264

bb7:                                              ; preds = %bb4, %bb5, %bb6
  %5 = load i32, ptr %_0, align 4, !dbg !265
  ret i32 %5, !dbg !265
}

; core::sync::atomic::atomic_store
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define void @_ZN4core4sync6atomic12atomic_store17h5947c3e8b4f02b27E(ptr %dst, i32 %val, i8 %order) unnamed_addr #2 !dbg !266 {
start:
  %s.dbg.spill1 = alloca [16 x i8], align 8
  %s.dbg.spill = alloca [16 x i8], align 8
  %order.dbg.spill = alloca [1 x i8], align 1
  %val.dbg.spill = alloca [4 x i8], align 4
  %dst.dbg.spill = alloca [8 x i8], align 8
  store ptr %dst, ptr %dst.dbg.spill, align 8
    #dbg_declare(ptr %dst.dbg.spill, !271, !DIExpression(), !274)
  store i32 %val, ptr %val.dbg.spill, align 4
    #dbg_declare(ptr %val.dbg.spill, !272, !DIExpression(), !275)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !273, !DIExpression(), !276)
  %_4 = zext i8 %order to i64, !dbg !277
  switch i64 %_4, label %bb1 [
    i64 0, label %bb6
    i64 1, label %bb5
    i64 2, label %bb3
    i64 3, label %bb2
    i64 4, label %bb4
  ], !dbg !278

bb1:                                              ; preds = %start
  unreachable, !dbg !277

bb6:                                              ; preds = %start
  store atomic i32 %val, ptr %dst monotonic, align 4, !dbg !279
  br label %bb7, !dbg !279

bb5:                                              ; preds = %start
  store atomic i32 %val, ptr %dst release, align 4, !dbg !280
  br label %bb7, !dbg !280

bb3:                                              ; preds = %start
  store ptr @alloc_bf39103a6db665396aab4632362d9353, ptr %s.dbg.spill, align 8, !dbg !281
  %0 = getelementptr inbounds i8, ptr %s.dbg.spill, i64 8, !dbg !281
  store i64 42, ptr %0, align 8, !dbg !281
    #dbg_declare(ptr %s.dbg.spill, !282, !DIExpression(), !285)
    #dbg_declare(ptr %s.dbg.spill, !286, !DIExpression(), !289)
    #dbg_declare(ptr %s.dbg.spill, !292, !DIExpression(), !295)
    #dbg_declare(ptr %s.dbg.spill, !297, !DIExpression(), !300)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_bf39103a6db665396aab4632362d9353, ptr inttoptr (i64 85 to ptr), ptr align 8 @alloc_a574beff59ab58cf5ed2d6bc163e2302) #5, !dbg !281
  unreachable, !dbg !281

bb2:                                              ; preds = %start
  store ptr @alloc_00c0bce0fa6327f8ec8e69d6d765d508, ptr %s.dbg.spill1, align 8, !dbg !303
  %1 = getelementptr inbounds i8, ptr %s.dbg.spill1, i64 8, !dbg !303
  store i64 50, ptr %1, align 8, !dbg !303
    #dbg_declare(ptr %s.dbg.spill1, !282, !DIExpression(), !304)
    #dbg_declare(ptr %s.dbg.spill1, !286, !DIExpression(), !305)
    #dbg_declare(ptr %s.dbg.spill1, !292, !DIExpression(), !307)
    #dbg_declare(ptr %s.dbg.spill1, !297, !DIExpression(), !309)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_00c0bce0fa6327f8ec8e69d6d765d508, ptr inttoptr (i64 101 to ptr), ptr align 8 @alloc_aec0388915b72a4f610ad656c35be884) #5, !dbg !303
  unreachable, !dbg !303

bb4:                                              ; preds = %start
  store atomic i32 %val, ptr %dst seq_cst, align 4, !dbg !311
  br label %bb7, !dbg !311

bb7:                                              ; preds = %bb4, %bb5, %bb6
  ret void, !dbg !312
}

; core::sync::atomic::AtomicU32::load
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define internal i32 @_ZN4core4sync6atomic9AtomicU324load17hf2ba4b147bea2371E(ptr align 4 %self, i8 %order) unnamed_addr #2 !dbg !313 {
start:
  %order.dbg.spill = alloca [1 x i8], align 1
  %self.dbg.spill = alloca [8 x i8], align 8
  store ptr %self, ptr %self.dbg.spill, align 8
    #dbg_declare(ptr %self.dbg.spill, !319, !DIExpression(), !321)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !320, !DIExpression(), !322)
    #dbg_value(ptr %self, !323, !DIExpression(), !331)
; call core::sync::atomic::atomic_load
  %_0 = call i32 @_ZN4core4sync6atomic11atomic_load17hb0cf39380df34865E(ptr %self, i8 %order) #4, !dbg !333
  ret i32 %_0, !dbg !334
}

; core::sync::atomic::AtomicU32::store
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define internal void @_ZN4core4sync6atomic9AtomicU325store17h1a311a5f69020b62E(ptr align 4 %self, i32 %val, i8 %order) unnamed_addr #2 !dbg !335 {
start:
  %order.dbg.spill = alloca [1 x i8], align 1
  %val.dbg.spill = alloca [4 x i8], align 4
  %self.dbg.spill = alloca [8 x i8], align 8
  store ptr %self, ptr %self.dbg.spill, align 8
    #dbg_declare(ptr %self.dbg.spill, !340, !DIExpression(), !343)
  store i32 %val, ptr %val.dbg.spill, align 4
    #dbg_declare(ptr %val.dbg.spill, !341, !DIExpression(), !344)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !342, !DIExpression(), !345)
    #dbg_value(ptr %self, !346, !DIExpression(), !349)
; call core::sync::atomic::atomic_store
  call void @_ZN4core4sync6atomic12atomic_store17h5947c3e8b4f02b27E(ptr %self, i32 %val, i8 %order) #4, !dbg !351
  ret void, !dbg !352
}

; Function Attrs: nounwind nonlazybind uwtable
define i32 @main() unnamed_addr #1 !dbg !353 {
start:
  %value.dbg.spill = alloca [4 x i8], align 4
  %found = alloca [8 x i8], align 4
  %round = alloca [4 x i8], align 4
  %last = alloca [4 x i8], align 4
  %thread = alloca [8 x i8], align 8
    #dbg_declare(ptr %thread, !358, !DIExpression(), !368)
    #dbg_declare(ptr %last, !360, !DIExpression(), !369)
    #dbg_declare(ptr %round, !362, !DIExpression(), !370)
    #dbg_declare(ptr %found, !364, !DIExpression(), !371)
  store i64 0, ptr %thread, align 8, !dbg !372
  %_2 = call i32 @pthread_create(ptr %thread, ptr null, ptr @_ZN11rust_rounds5write17h1bd73a2799796dd4E, ptr null) #6, !dbg !373
  store i32 0, ptr %last, align 4, !dbg !374
  store i32 0, ptr %round, align 4, !dbg !375
  br label %bb4, !dbg !376

bb4:                                              ; preds = %bb11, %bb7, %start
  %_11 = load i32, ptr %round, align 4, !dbg !377
  %_10 = icmp ult i32 %_11, 2, !dbg !377
  br i1 %_10, label %bb5, label %bb12, !dbg !377

bb12:                                             ; preds = %bb4
  %_22 = load i64, ptr %thread, align 8, !dbg !378
  %_21 = call i32 @pthread_join(i64 %_22, ptr null) #6, !dbg !379
  ret i32 0, !dbg !380

bb5:                                              ; preds = %bb4
  %_13 = load i32, ptr %round, align 4, !dbg !381
; call rust_rounds::read
  %0 = call { i32, i32 } @_ZN11rust_rounds4read17h333ce3b442fb246dE(i32 %_13) #6, !dbg !382
  %1 = extractvalue { i32, i32 } %0, 0, !dbg !382
  %2 = extractvalue { i32, i32 } %0, 1, !dbg !382
  store i32 %1, ptr %found, align 4, !dbg !382
  %3 = getelementptr inbounds i8, ptr %found, i64 4, !dbg !382
  store i32 %2, ptr %3, align 4, !dbg !382
  %4 = load i32, ptr %round, align 4, !dbg !383
  %_14.0 = add i32 %4, 1, !dbg !383
  %_14.1 = icmp ult i32 %_14.0, %4, !dbg !383
  br i1 %_14.1, label %panic, label %bb7, !dbg !383

bb7:                                              ; preds = %bb5
  store i32 %_14.0, ptr %round, align 4, !dbg !383
  %5 = load i32, ptr %found, align 4, !dbg !384
  %6 = getelementptr inbounds i8, ptr %found, i64 4, !dbg !384
  %7 = load i32, ptr %6, align 4, !dbg !384
  %_15 = zext i32 %5 to i64, !dbg !384
  %8 = trunc nuw i64 %_15 to i1, !dbg !385
  br i1 %8, label %bb8, label %bb4, !dbg !385

panic:                                            ; preds = %bb5
; call core::panicking::panic_const::panic_const_add_overflow
  call void @abort(ptr align 8 @alloc_c8bf0b057cc08f0e84913c53d5a2e107) #5, !dbg !383
  unreachable, !dbg !383

bb8:                                              ; preds = %bb7
  %9 = getelementptr inbounds i8, ptr %found, i64 4, !dbg !386
  %value = load i32, ptr %9, align 4, !dbg !386
  store i32 %value, ptr %value.dbg.spill, align 4, !dbg !386
    #dbg_declare(ptr %value.dbg.spill, !366, !DIExpression(), !386)
  %_18 = load i32, ptr %last, align 4, !dbg !387
  %_17 = icmp eq i32 %value, %_18, !dbg !388
  br i1 %_17, label %bb9, label %bb10, !dbg !388

bb10:                                             ; preds = %bb8
; call core::panicking::panic
  call void @__assert_fail(ptr align 1 @alloc_56cc9c28ac2d65eb454f325f7feee097, i64 31, ptr align 8 @alloc_aa087cd719b19bcb9b21d25128be7977) #5, !dbg !389
  unreachable, !dbg !389

bb9:                                              ; preds = %bb8
  %_20.0 = add i32 %value, 1, !dbg !390
  %_20.1 = icmp ult i32 %_20.0, %value, !dbg !390
  br i1 %_20.1, label %panic1, label %bb11, !dbg !390

bb11:                                             ; preds = %bb9
  store i32 %_20.0, ptr %last, align 4, !dbg !391
  br label %bb4, !dbg !392

panic1:                                           ; preds = %bb9
; call core::panicking::panic_const::panic_const_add_overflow
  call void @abort(ptr align 8 @alloc_45d24db95a74b26a28892535f54b5b70) #5, !dbg !390
  unreachable, !dbg !390

bb15:                                             ; No predecessors!
  unreachable, !dbg !393
}

; core::panicking::panic_fmt
; Function Attrs: cold noinline noreturn nounwind nonlazybind uwtable
declare void @abort(ptr, ptr, ptr align 8) unnamed_addr #3

; Function Attrs: nounwind nonlazybind uwtable
declare i32 @pthread_create(ptr, ptr, ptr, ptr) unnamed_addr #1

; Function Attrs: nounwind nonlazybind uwtable
declare i32 @pthread_join(i64, ptr) unnamed_addr #1

; core::panicking::panic_const::panic_const_add_overflow
; Function Attrs: cold noinline noreturn nounwind nonlazybind uwtable

; core::panicking::panic
; Function Attrs: cold noinline noreturn nounwind nonlazybind uwtable

attributes #0 = { noreturn nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #2 = { inlinehint nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #3 = { cold noinline noreturn nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #4 = { inlinehint nounwind }
attributes #5 = { noinline noreturn nounwind }
attributes #6 = { nounwind }

!llvm.module.flags = !{!19, !20, !21, !22}
!llvm.ident = !{!23}
!llvm.dbg.cu = !{!24}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "X", linkageName: "_ZN11rust_rounds1X17h84f7fdd3927ef025E", scope: !2, file: !3, line: 7, type: !4, isLocal: true, isDefinition: true, align: 32)
!2 = !DINamespace(name: "rust_rounds", scope: null)
!3 = !DIFile(filename: "rust_rounds.rs", directory: ".", checksumkind: CSK_MD5, checksum: "8d5c1bd927ca0bd109335b2ab0aaa3d3")
!4 = !DICompositeType(tag: DW_TAG_structure_type, name: "AtomicU32", scope: !6, file: !5, size: 32, align: 32, flags: DIFlagPublic, elements: !9, templateParams: !18, identifier: "c7c2c74a85904bd0c8528b4e15d5ce44")
!5 = !DIFile(filename: "<unknown>", directory: ".")
!6 = !DINamespace(name: "atomic", scope: !7)
!7 = !DINamespace(name: "sync", scope: !8)
!8 = !DINamespace(name: "core", scope: null)
!9 = !{!10}
!10 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !4, file: !5, baseType: !11, size: 32, align: 32, flags: DIFlagPrivate)
!11 = !DICompositeType(tag: DW_TAG_structure_type, name: "UnsafeCell<u32>", scope: !12, file: !5, size: 32, align: 32, flags: DIFlagPublic, elements: !13, templateParams: !16, identifier: "276fcd5afdff990e3d83fbd36936145c")
!12 = !DINamespace(name: "cell", scope: !8)
!13 = !{!14}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !11, file: !5, baseType: !15, size: 32, align: 32, flags: DIFlagPrivate)
!15 = !DIBasicType(name: "u32", size: 32, encoding: DW_ATE_unsigned)
!16 = !{!17}
!17 = !DITemplateTypeParameter(name: "T", type: !15)
!18 = !{}
!19 = !{i32 8, !"PIC Level", i32 2}
!20 = !{i32 2, !"RtLibUseGOT", i32 1}
!21 = !{i32 7, !"Dwarf Version", i32 4}
!22 = !{i32 2, !"Debug Info Version", i32 3}
!23 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
!24 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !25, producer: "clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !26, globals: !35, splitDebugInlining: false, nameTableKind: None)
!25 = !DIFile(filename: "rust_rounds.rs/@/rust_rounds.9853c3117bf44be4-cgu.0", directory: ".")
!26 = !{!27}
!27 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "Ordering", scope: !6, file: !5, baseType: !28, size: 8, align: 8, flags: DIFlagEnumClass, elements: !29)
!28 = !DIBasicType(name: "u8", size: 8, encoding: DW_ATE_unsigned)
!29 = !{!30, !31, !32, !33, !34}
!30 = !DIEnumerator(name: "Relaxed", value: 0, isUnsigned: true)
!31 = !DIEnumerator(name: "Release", value: 1, isUnsigned: true)
!32 = !DIEnumerator(name: "Acquire", value: 2, isUnsigned: true)
!33 = !DIEnumerator(name: "AcqRel", value: 3, isUnsigned: true)
!34 = !DIEnumerator(name: "SeqCst", value: 4, isUnsigned: true)
!35 = !{!0}
!36 = distinct !DISubprogram(name: "panic", linkageName: "_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind", scope: !2, file: !3, line: 43, type: !37, scopeLine: 43, flags: DIFlagPrototyped | DIFlagNoReturn, spFlags: DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !166)
!37 = !DISubroutineType(types: !38)
!38 = !{null, !39}
!39 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::panic::panic_info::PanicInfo", baseType: !40, size: 64, align: 64, dwarfAddressSpace: 0)
!40 = !DICompositeType(tag: DW_TAG_structure_type, name: "PanicInfo", scope: !41, file: !5, size: 192, align: 64, flags: DIFlagPublic, elements: !43, templateParams: !18, identifier: "1f197bfb0b2978b841a2bba287af0e4")
!41 = !DINamespace(name: "panic_info", scope: !42)
!42 = !DINamespace(name: "panic", scope: !8)
!43 = !{!44, !139, !163, !165}
!44 = !DIDerivedType(tag: DW_TAG_member, name: "message", scope: !40, file: !5, baseType: !45, size: 64, align: 64, flags: DIFlagPrivate)
!45 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::fmt::Arguments", baseType: !46, size: 64, align: 64, dwarfAddressSpace: 0)
!46 = !DICompositeType(tag: DW_TAG_structure_type, name: "Arguments", scope: !47, file: !5, size: 128, align: 64, flags: DIFlagPublic, elements: !48, templateParams: !18, identifier: "e5c67bbe046da39973c72077c7f66185")
!47 = !DINamespace(name: "fmt", scope: !8)
!48 = !{!49, !58}
!49 = !DIDerivedType(tag: DW_TAG_member, name: "template", scope: !46, file: !5, baseType: !50, size: 64, align: 64, flags: DIFlagPrivate)
!50 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<u8>", scope: !51, file: !5, size: 64, align: 64, flags: DIFlagPublic, elements: !53, templateParams: !56, identifier: "ff3cb4cecc4ed13dfb833309b96ea529")
!51 = !DINamespace(name: "non_null", scope: !52)
!52 = !DINamespace(name: "ptr", scope: !8)
!53 = !{!54}
!54 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !50, file: !5, baseType: !55, size: 64, align: 64, flags: DIFlagPrivate)
!55 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*const u8", baseType: !28, size: 64, align: 64, dwarfAddressSpace: 0)
!56 = !{!57}
!57 = !DITemplateTypeParameter(name: "T", type: !28)
!58 = !DIDerivedType(tag: DW_TAG_member, name: "args", scope: !46, file: !5, baseType: !59, size: 64, align: 64, offset: 64, flags: DIFlagPrivate)
!59 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<core::fmt::rt::Argument>", scope: !51, file: !5, size: 64, align: 64, flags: DIFlagPublic, elements: !60, templateParams: !137, identifier: "2e7cb7ba6db6aae8a5c20264d17cea0a")
!60 = !{!61}
!61 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !59, file: !5, baseType: !62, size: 64, align: 64, flags: DIFlagPrivate)
!62 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*const core::fmt::rt::Argument", baseType: !63, size: 64, align: 64, dwarfAddressSpace: 0)
!63 = !DICompositeType(tag: DW_TAG_structure_type, name: "Argument", scope: !64, file: !5, size: 128, align: 64, flags: DIFlagPublic, elements: !65, templateParams: !18, identifier: "1d5f7550f7e7e04cbc4d2cf57c27606b")
!64 = !DINamespace(name: "rt", scope: !47)
!65 = !{!66}
!66 = !DIDerivedType(tag: DW_TAG_member, name: "ty", scope: !63, file: !5, baseType: !67, size: 128, align: 64, flags: DIFlagPrivate)
!67 = !DICompositeType(tag: DW_TAG_structure_type, name: "ArgumentType", scope: !64, file: !5, size: 128, align: 64, flags: DIFlagPrivate, elements: !68, templateParams: !18, identifier: "b1cfb4618f1c38c3f96eab6c02edf448")
!68 = !{!69}
!69 = !DICompositeType(tag: DW_TAG_variant_part, scope: !67, file: !5, size: 128, align: 64, elements: !70, templateParams: !18, identifier: "fbd384083752b747f8b252853b979154", discriminator: !135)
!70 = !{!71, !131}
!71 = !DIDerivedType(tag: DW_TAG_member, name: "Placeholder", scope: !69, file: !5, baseType: !72, size: 128, align: 64)
!72 = !DICompositeType(tag: DW_TAG_structure_type, name: "Placeholder", scope: !67, file: !5, size: 128, align: 64, flags: DIFlagPrivate, elements: !73, templateParams: !18, identifier: "91d44a8fdafb90acd8f4961dbde4212b")
!73 = !{!74, !82, !125}
!74 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !72, file: !5, baseType: !75, size: 64, align: 64, flags: DIFlagPrivate)
!75 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<()>", scope: !51, file: !5, size: 64, align: 64, flags: DIFlagPublic, elements: !76, templateParams: !80, identifier: "f4e496144210c619b96aa08326287b92")
!76 = !{!77}
!77 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !75, file: !5, baseType: !78, size: 64, align: 64, flags: DIFlagPrivate)
!78 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*const ()", baseType: !79, size: 64, align: 64, dwarfAddressSpace: 0)
!79 = !DIBasicType(name: "()", encoding: DW_ATE_unsigned)
!80 = !{!81}
!81 = !DITemplateTypeParameter(name: "T", type: !79)
!82 = !DIDerivedType(tag: DW_TAG_member, name: "formatter", scope: !72, file: !5, baseType: !83, size: 64, align: 64, offset: 64, flags: DIFlagPrivate)
!83 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "unsafe fn(core::ptr::non_null::NonNull<()>, &mut core::fmt::Formatter) -> core::result::Result<(), core::fmt::Error>", baseType: !84, size: 64, align: 64, dwarfAddressSpace: 0)
!84 = !DISubroutineType(types: !85)
!85 = !{!86, !75, !103}
!86 = !DICompositeType(tag: DW_TAG_structure_type, name: "Result<(), core::fmt::Error>", scope: !87, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !88, templateParams: !18, identifier: "1c6752419820cdc3961061cc58b31873")
!87 = !DINamespace(name: "result", scope: !8)
!88 = !{!89}
!89 = !DICompositeType(tag: DW_TAG_variant_part, scope: !86, file: !5, size: 8, align: 8, elements: !90, templateParams: !18, identifier: "92c1f85eaa1d7dab2e3165ee2fc4946", discriminator: !102)
!90 = !{!91, !98}
!91 = !DIDerivedType(tag: DW_TAG_member, name: "Ok", scope: !89, file: !5, baseType: !92, size: 8, align: 8, extraData: i8 0)
!92 = !DICompositeType(tag: DW_TAG_structure_type, name: "Ok", scope: !86, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !93, templateParams: !95, identifier: "1d7115f6c7f9f62c2100933bba0c76f9")
!93 = !{!94}
!94 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !92, file: !5, baseType: !79, align: 8, offset: 8, flags: DIFlagPublic)
!95 = !{!81, !96}
!96 = !DITemplateTypeParameter(name: "E", type: !97)
!97 = !DICompositeType(tag: DW_TAG_structure_type, name: "Error", scope: !47, file: !5, align: 8, flags: DIFlagPublic, elements: !18, identifier: "5a24300cdda31093f5fe20c939b4885")
!98 = !DIDerivedType(tag: DW_TAG_member, name: "Err", scope: !89, file: !5, baseType: !99, size: 8, align: 8, extraData: i8 1)
!99 = !DICompositeType(tag: DW_TAG_structure_type, name: "Err", scope: !86, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !100, templateParams: !95, identifier: "27094aa3bc4c448bf12b8530386fdeb2")
!100 = !{!101}
!101 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !99, file: !5, baseType: !97, align: 8, offset: 8, flags: DIFlagPublic)
!102 = !DIDerivedType(tag: DW_TAG_member, scope: !86, file: !5, baseType: !28, size: 8, align: 8, flags: DIFlagArtificial)
!103 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&mut core::fmt::Formatter", baseType: !104, size: 64, align: 64, dwarfAddressSpace: 0)
!104 = !DICompositeType(tag: DW_TAG_structure_type, name: "Formatter", scope: !47, file: !5, size: 192, align: 64, flags: DIFlagPublic, elements: !105, templateParams: !18, identifier: "c45a1f7f7c29ecbbdbd29c835fac516c")
!105 = !{!106, !113}
!106 = !DIDerivedType(tag: DW_TAG_member, name: "options", scope: !104, file: !5, baseType: !107, size: 64, align: 32, offset: 128, flags: DIFlagPrivate)
!107 = !DICompositeType(tag: DW_TAG_structure_type, name: "FormattingOptions", scope: !47, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !108, templateParams: !18, identifier: "ca2f5547247cd95c514a47d5800e09e")
!108 = !{!109, !110, !112}
!109 = !DIDerivedType(tag: DW_TAG_member, name: "flags", scope: !107, file: !5, baseType: !15, size: 32, align: 32, flags: DIFlagPrivate)
!110 = !DIDerivedType(tag: DW_TAG_member, name: "width", scope: !107, file: !5, baseType: !111, size: 16, align: 16, offset: 32, flags: DIFlagPrivate)
!111 = !DIBasicType(name: "u16", size: 16, encoding: DW_ATE_unsigned)
!112 = !DIDerivedType(tag: DW_TAG_member, name: "precision", scope: !107, file: !5, baseType: !111, size: 16, align: 16, offset: 48, flags: DIFlagPrivate)
!113 = !DIDerivedType(tag: DW_TAG_member, name: "buf", scope: !104, file: !5, baseType: !114, size: 128, align: 64, flags: DIFlagPrivate)
!114 = !DICompositeType(tag: DW_TAG_structure_type, name: "&mut dyn core::fmt::Write", file: !5, size: 128, align: 64, elements: !115, templateParams: !18, identifier: "effe97114690fc58a8e246cb04e37234")
!115 = !{!116, !119}
!116 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !114, file: !5, baseType: !117, size: 64, align: 64)
!117 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !118, size: 64, align: 64, dwarfAddressSpace: 0)
!118 = !DICompositeType(tag: DW_TAG_structure_type, name: "dyn core::fmt::Write", file: !5, align: 8, elements: !18, identifier: "64328679825f9c73b507edbfd5b86b47")
!119 = !DIDerivedType(tag: DW_TAG_member, name: "vtable", scope: !114, file: !5, baseType: !120, size: 64, align: 64, offset: 64)
!120 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&[usize; 6]", baseType: !121, size: 64, align: 64, dwarfAddressSpace: 0)
!121 = !DICompositeType(tag: DW_TAG_array_type, baseType: !122, size: 384, align: 64, elements: !123)
!122 = !DIBasicType(name: "usize", size: 64, encoding: DW_ATE_unsigned)
!123 = !{!124}
!124 = !DISubrange(count: 6, lowerBound: 0)
!125 = !DIDerivedType(tag: DW_TAG_member, name: "_lifetime", scope: !72, file: !5, baseType: !126, align: 8, offset: 128, flags: DIFlagPrivate)
!126 = !DICompositeType(tag: DW_TAG_structure_type, name: "PhantomData<&()>", scope: !127, file: !5, align: 8, flags: DIFlagPublic, elements: !18, templateParams: !128, identifier: "efa596960370766459fc018866dc4048")
!127 = !DINamespace(name: "marker", scope: !8)
!128 = !{!129}
!129 = !DITemplateTypeParameter(name: "T", type: !130)
!130 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&()", baseType: !79, size: 64, align: 64, dwarfAddressSpace: 0)
!131 = !DIDerivedType(tag: DW_TAG_member, name: "Count", scope: !69, file: !5, baseType: !132, size: 128, align: 64, extraData: i64 0)
!132 = !DICompositeType(tag: DW_TAG_structure_type, name: "Count", scope: !67, file: !5, size: 128, align: 64, flags: DIFlagPrivate, elements: !133, templateParams: !18, identifier: "1d9161ed3114ac1c26d36137fc96704d")
!133 = !{!134}
!134 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !132, file: !5, baseType: !111, size: 16, align: 16, offset: 64, flags: DIFlagPrivate)
!135 = !DIDerivedType(tag: DW_TAG_member, scope: !67, file: !5, baseType: !136, size: 64, align: 64, flags: DIFlagArtificial)
!136 = !DIBasicType(name: "u64", size: 64, encoding: DW_ATE_unsigned)
!137 = !{!138}
!138 = !DITemplateTypeParameter(name: "T", type: !63)
!139 = !DIDerivedType(tag: DW_TAG_member, name: "location", scope: !40, file: !5, baseType: !140, size: 64, align: 64, offset: 64, flags: DIFlagPrivate)
!140 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::panic::location::Location", baseType: !141, size: 64, align: 64, dwarfAddressSpace: 0)
!141 = !DICompositeType(tag: DW_TAG_structure_type, name: "Location", scope: !142, file: !5, size: 192, align: 64, flags: DIFlagPublic, elements: !143, templateParams: !18, identifier: "c23b7de1297af8f4a89df3da49f37ee6")
!142 = !DINamespace(name: "location", scope: !42)
!143 = !{!144, !153, !154, !155}
!144 = !DIDerivedType(tag: DW_TAG_member, name: "filename", scope: !141, file: !5, baseType: !145, size: 128, align: 64, flags: DIFlagPrivate)
!145 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<str>", scope: !51, file: !5, size: 128, align: 64, flags: DIFlagPublic, elements: !146, templateParams: !56, identifier: "cc7383b2ce73f6838bfb6ae828fb6ae6")
!146 = !{!147}
!147 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !145, file: !5, baseType: !148, size: 128, align: 64, flags: DIFlagPrivate)
!148 = !DICompositeType(tag: DW_TAG_structure_type, name: "*const str", file: !5, size: 128, align: 64, elements: !149, templateParams: !18, identifier: "238a44609877474087c05adf26cd41fa")
!149 = !{!150, !152}
!150 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !148, file: !5, baseType: !151, size: 64, align: 64)
!151 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !28, size: 64, align: 64, dwarfAddressSpace: 0)
!152 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !148, file: !5, baseType: !122, size: 64, align: 64, offset: 64)
!153 = !DIDerivedType(tag: DW_TAG_member, name: "line", scope: !141, file: !5, baseType: !15, size: 32, align: 32, offset: 128, flags: DIFlagPrivate)
!154 = !DIDerivedType(tag: DW_TAG_member, name: "col", scope: !141, file: !5, baseType: !15, size: 32, align: 32, offset: 160, flags: DIFlagPrivate)
!155 = !DIDerivedType(tag: DW_TAG_member, name: "_filename", scope: !141, file: !5, baseType: !156, align: 8, offset: 192, flags: DIFlagPrivate)
!156 = !DICompositeType(tag: DW_TAG_structure_type, name: "PhantomData<&str>", scope: !127, file: !5, align: 8, flags: DIFlagPublic, elements: !18, templateParams: !157, identifier: "e16ac355808b6aef9fb50b5f125fee05")
!157 = !{!158}
!158 = !DITemplateTypeParameter(name: "T", type: !159)
!159 = !DICompositeType(tag: DW_TAG_structure_type, name: "&str", file: !5, size: 128, align: 64, elements: !160, templateParams: !18, identifier: "9277eecd40495f85161460476aacc992")
!160 = !{!161, !162}
!161 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !159, file: !5, baseType: !151, size: 64, align: 64)
!162 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !159, file: !5, baseType: !122, size: 64, align: 64, offset: 64)
!163 = !DIDerivedType(tag: DW_TAG_member, name: "can_unwind", scope: !40, file: !5, baseType: !164, size: 8, align: 8, offset: 128, flags: DIFlagPrivate)
!164 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!165 = !DIDerivedType(tag: DW_TAG_member, name: "force_no_backtrace", scope: !40, file: !5, baseType: !164, size: 8, align: 8, offset: 136, flags: DIFlagPrivate)
!166 = !{!167}
!167 = !DILocalVariable(arg: 1, scope: !36, file: !3, line: 43, type: !39)
!168 = !DILocation(line: 43, column: 10, scope: !36)
!169 = !DILocation(line: 44, column: 5, scope: !36)
!170 = distinct !DISubprogram(name: "read", linkageName: "_ZN11rust_rounds4read17h333ce3b442fb246dE", scope: !2, file: !3, line: 19, type: !171, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !185)
!171 = !DISubroutineType(types: !172)
!172 = !{!173, !15}
!173 = !DICompositeType(tag: DW_TAG_structure_type, name: "Option<u32>", scope: !174, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !175, templateParams: !18, identifier: "6f9cf68b0721c153842fac1aca06aca0")
!174 = !DINamespace(name: "option", scope: !8)
!175 = !{!176}
!176 = !DICompositeType(tag: DW_TAG_variant_part, scope: !173, file: !5, size: 64, align: 32, elements: !177, templateParams: !18, identifier: "52547bc7e29ba4c3a424c45f3b6ad9d5", discriminator: !184)
!177 = !{!178, !180}
!178 = !DIDerivedType(tag: DW_TAG_member, name: "None", scope: !176, file: !5, baseType: !179, size: 64, align: 32, extraData: i32 0)
!179 = !DICompositeType(tag: DW_TAG_structure_type, name: "None", scope: !173, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !18, templateParams: !16, identifier: "2d35c67b0b954dbe72d9ec7c545db516")
!180 = !DIDerivedType(tag: DW_TAG_member, name: "Some", scope: !176, file: !5, baseType: !181, size: 64, align: 32, extraData: i32 1)
!181 = !DICompositeType(tag: DW_TAG_structure_type, name: "Some", scope: !173, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !182, templateParams: !16, identifier: "8398ebe1588ef464fb4c1616d021a5e8")
!182 = !{!183}
!183 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !181, file: !5, baseType: !15, size: 32, align: 32, offset: 32, flags: DIFlagPublic)
!184 = !DIDerivedType(tag: DW_TAG_member, scope: !173, file: !5, baseType: !15, size: 32, align: 32, flags: DIFlagArtificial)
!185 = !{!186}
!186 = !DILocalVariable(name: "round", arg: 1, scope: !170, file: !3, line: 19, type: !15)
!187 = !DILocation(line: 19, column: 9, scope: !170)
!188 = !DILocation(line: 20, column: 10, scope: !170)
!189 = !DILocation(line: 20, column: 8, scope: !170)
!190 = !DILocation(line: 20, column: 55, scope: !170)
!191 = !DILocation(line: 20, column: 5, scope: !170)
!192 = !DILocation(line: 20, column: 41, scope: !170)
!193 = !DILocation(line: 21, column: 2, scope: !170)
!194 = distinct !DISubprogram(name: "write", linkageName: "_ZN11rust_rounds5write17h1bd73a2799796dd4E", scope: !2, file: !3, line: 14, type: !195, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !198)
!195 = !DISubroutineType(types: !196)
!196 = !{!197, !197}
!197 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*mut u8", baseType: !28, size: 64, align: 64, dwarfAddressSpace: 0)
!198 = !{!199}
!199 = !DILocalVariable(arg: 1, scope: !194, file: !3, line: 14, type: !197)
!200 = !DILocation(line: 14, column: 21, scope: !194)
!201 = !DILocation(line: 15, column: 7, scope: !194)
!202 = !DILocation(line: 17, column: 2, scope: !194)
!203 = distinct !DISubprogram(name: "atomic_load<u32>", linkageName: "_ZN4core4sync6atomic11atomic_load17hb0cf39380df34865E", scope: !6, file: !204, line: 3886, type: !205, scopeLine: 3886, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !16, retainedNodes: !208)
!204 = !DIFile(filename: "library/core/src/sync/atomic.rs", directory: ".", checksumkind: CSK_MD5, checksum: "efd884d336fd52cdd46abf1cb836765b")
!205 = !DISubroutineType(types: !206)
!206 = !{!15, !207, !27}
!207 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*const u32", baseType: !15, size: 64, align: 64, dwarfAddressSpace: 0)
!208 = !{!209, !210}
!209 = !DILocalVariable(name: "dst", arg: 1, scope: !203, file: !204, line: 3886, type: !207)
!210 = !DILocalVariable(name: "order", arg: 2, scope: !203, file: !204, line: 3886, type: !27)
!211 = !DILocation(line: 3886, column: 32, scope: !203)
!212 = !DILocation(line: 3886, column: 47, scope: !203)
!213 = !DILocation(line: 3889, column: 15, scope: !203)
!214 = !DILocation(line: 3889, column: 9, scope: !203)
!215 = !DILocation(line: 3890, column: 24, scope: !203)
!216 = !DILocation(line: 3893, column: 24, scope: !203)
!217 = !DILocalVariable(name: "s", arg: 1, scope: !218, file: !219, line: 815, type: !159)
!218 = distinct !DISubprogram(name: "from_str", linkageName: "_ZN4core3fmt9Arguments8from_str17h637cbffd0d970405E", scope: !46, file: !219, line: 815, type: !220, scopeLine: 815, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, declaration: !222, retainedNodes: !223)
!219 = !DIFile(filename: "library/core/src/fmt/mod.rs", directory: ".", checksumkind: CSK_MD5, checksum: "66c54229528687a22c80807f245fa4df")
!220 = !DISubroutineType(types: !221)
!221 = !{!46, !159}
!222 = !DISubprogram(name: "from_str", linkageName: "_ZN4core3fmt9Arguments8from_str17h637cbffd0d970405E", scope: !46, file: !219, line: 815, type: !220, scopeLine: 815, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !18)
!223 = !{!217}
!224 = !DILocation(line: 815, column: 27, scope: !218, inlinedAt: !216)
!225 = !DILocalVariable(name: "self", arg: 1, scope: !226, file: !227, line: 578, type: !159)
!226 = distinct !DISubprogram(name: "as_ptr", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre6as_ptr", scope: !228, file: !227, line: 578, type: !230, scopeLine: 578, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !232)
!227 = !DIFile(filename: "library/core/src/str/mod.rs", directory: ".", checksumkind: CSK_MD5, checksum: "b67baab1b9aefdbe1feb84767953c83d")
!228 = !DINamespace(name: "{impl#0}", scope: !229)
!229 = !DINamespace(name: "str", scope: !8)
!230 = !DISubroutineType(types: !231)
!231 = !{!55, !159}
!232 = !{!225}
!233 = !DILocation(line: 578, column: 25, scope: !226, inlinedAt: !234)
!234 = !DILocation(line: 819, column: 44, scope: !235, inlinedAt: !216)
!235 = !DILexicalBlockFile(scope: !218, file: !219, discriminator: 2)
!236 = !DILocalVariable(name: "self", arg: 1, scope: !237, file: !227, line: 157, type: !159)
!237 = distinct !DISubprogram(name: "len", linkageName: "_ZN4core3str21_$LT$impl$u20$str$GT$3len17h7d4b2642495cc50cE", scope: !228, file: !227, line: 157, type: !238, scopeLine: 157, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !240)
!238 = !DISubroutineType(types: !239)
!239 = !{!122, !159}
!240 = !{!236}
!241 = !DILocation(line: 157, column: 22, scope: !237, inlinedAt: !242)
!242 = !DILocation(line: 820, column: 40, scope: !235, inlinedAt: !216)
!243 = !DILocalVariable(name: "self", arg: 1, scope: !244, file: !227, line: 502, type: !159)
!244 = distinct !DISubprogram(name: "as_bytes", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre8as_bytes", scope: !228, file: !227, line: 502, type: !245, scopeLine: 502, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !251)
!245 = !DISubroutineType(types: !246)
!246 = !{!247, !159}
!247 = !DICompositeType(tag: DW_TAG_structure_type, name: "&[u8]", file: !5, size: 128, align: 64, elements: !248, templateParams: !18, identifier: "31681e0c10b314f1f33e38b2779acbb4")
!248 = !{!249, !250}
!249 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !247, file: !5, baseType: !151, size: 64, align: 64)
!250 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !247, file: !5, baseType: !122, size: 64, align: 64, offset: 64)
!251 = !{!243}
!252 = !DILocation(line: 502, column: 27, scope: !244, inlinedAt: !253)
!253 = !DILocation(line: 158, column: 14, scope: !254, inlinedAt: !242)
!254 = !DILexicalBlockFile(scope: !237, file: !227, discriminator: 2)
!255 = !DILocation(line: 3891, column: 24, scope: !203)
!256 = !DILocation(line: 3894, column: 23, scope: !203)
!257 = !DILocation(line: 815, column: 27, scope: !218, inlinedAt: !256)
!258 = !DILocation(line: 578, column: 25, scope: !226, inlinedAt: !259)
!259 = !DILocation(line: 819, column: 44, scope: !218, inlinedAt: !256)
!260 = !DILocation(line: 157, column: 22, scope: !237, inlinedAt: !261)
!261 = !DILocation(line: 820, column: 40, scope: !218, inlinedAt: !256)
!262 = !DILocation(line: 502, column: 27, scope: !244, inlinedAt: !263)
!263 = !DILocation(line: 158, column: 14, scope: !237, inlinedAt: !261)
!264 = !DILocation(line: 3892, column: 23, scope: !203)
!265 = !DILocation(line: 3897, column: 2, scope: !203)
!266 = distinct !DISubprogram(name: "atomic_store<u32>", linkageName: "_ZN4core4sync6atomic12atomic_store17h5947c3e8b4f02b27E", scope: !6, file: !204, line: 3871, type: !267, scopeLine: 3871, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !16, retainedNodes: !270)
!267 = !DISubroutineType(types: !268)
!268 = !{null, !269, !15, !27}
!269 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*mut u32", baseType: !15, size: 64, align: 64, dwarfAddressSpace: 0)
!270 = !{!271, !272, !273}
!271 = !DILocalVariable(name: "dst", arg: 1, scope: !266, file: !204, line: 3871, type: !269)
!272 = !DILocalVariable(name: "val", arg: 2, scope: !266, file: !204, line: 3871, type: !15)
!273 = !DILocalVariable(name: "order", arg: 3, scope: !266, file: !204, line: 3871, type: !27)
!274 = !DILocation(line: 3871, column: 33, scope: !266)
!275 = !DILocation(line: 3871, column: 46, scope: !266)
!276 = !DILocation(line: 3871, column: 54, scope: !266)
!277 = !DILocation(line: 3874, column: 15, scope: !266)
!278 = !DILocation(line: 3874, column: 9, scope: !266)
!279 = !DILocation(line: 3875, column: 24, scope: !266)
!280 = !DILocation(line: 3876, column: 24, scope: !266)
!281 = !DILocation(line: 3878, column: 24, scope: !266)
!282 = !DILocalVariable(name: "s", arg: 1, scope: !283, file: !219, line: 815, type: !159)
!283 = distinct !DISubprogram(name: "from_str", linkageName: "_ZN4core3fmt9Arguments8from_str17h637cbffd0d970405E", scope: !46, file: !219, line: 815, type: !220, scopeLine: 815, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, declaration: !222, retainedNodes: !284)
!284 = !{!282}
!285 = !DILocation(line: 815, column: 27, scope: !283, inlinedAt: !281)
!286 = !DILocalVariable(name: "self", arg: 1, scope: !287, file: !227, line: 578, type: !159)
!287 = distinct !DISubprogram(name: "as_ptr", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre6as_ptr", scope: !228, file: !227, line: 578, type: !230, scopeLine: 578, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !288)
!288 = !{!286}
!289 = !DILocation(line: 578, column: 25, scope: !287, inlinedAt: !290)
!290 = !DILocation(line: 819, column: 44, scope: !291, inlinedAt: !281)
!291 = !DILexicalBlockFile(scope: !283, file: !219, discriminator: 2)
!292 = !DILocalVariable(name: "self", arg: 1, scope: !293, file: !227, line: 157, type: !159)
!293 = distinct !DISubprogram(name: "len", linkageName: "_ZN4core3str21_$LT$impl$u20$str$GT$3len17h7d4b2642495cc50cE", scope: !228, file: !227, line: 157, type: !238, scopeLine: 157, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !294)
!294 = !{!292}
!295 = !DILocation(line: 157, column: 22, scope: !293, inlinedAt: !296)
!296 = !DILocation(line: 820, column: 40, scope: !291, inlinedAt: !281)
!297 = !DILocalVariable(name: "self", arg: 1, scope: !298, file: !227, line: 502, type: !159)
!298 = distinct !DISubprogram(name: "as_bytes", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre8as_bytes", scope: !228, file: !227, line: 502, type: !245, scopeLine: 502, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !299)
!299 = !{!297}
!300 = !DILocation(line: 502, column: 27, scope: !298, inlinedAt: !301)
!301 = !DILocation(line: 158, column: 14, scope: !302, inlinedAt: !296)
!302 = !DILexicalBlockFile(scope: !293, file: !227, discriminator: 2)
!303 = !DILocation(line: 3879, column: 23, scope: !266)
!304 = !DILocation(line: 815, column: 27, scope: !283, inlinedAt: !303)
!305 = !DILocation(line: 578, column: 25, scope: !287, inlinedAt: !306)
!306 = !DILocation(line: 819, column: 44, scope: !283, inlinedAt: !303)
!307 = !DILocation(line: 157, column: 22, scope: !293, inlinedAt: !308)
!308 = !DILocation(line: 820, column: 40, scope: !283, inlinedAt: !303)
!309 = !DILocation(line: 502, column: 27, scope: !298, inlinedAt: !310)
!310 = !DILocation(line: 158, column: 14, scope: !293, inlinedAt: !308)
!311 = !DILocation(line: 3877, column: 23, scope: !266)
!312 = !DILocation(line: 3882, column: 2, scope: !266)
!313 = distinct !DISubprogram(name: "load", linkageName: "_ZN4core4sync6atomic9AtomicU324load17hf2ba4b147bea2371E", scope: !4, file: !204, line: 2842, type: !314, scopeLine: 2842, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, declaration: !317, retainedNodes: !318)
!314 = !DISubroutineType(types: !315)
!315 = !{!15, !316, !27}
!316 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::sync::atomic::AtomicU32", baseType: !4, size: 64, align: 64, dwarfAddressSpace: 0)
!317 = !DISubprogram(name: "load", linkageName: "_ZN4core4sync6atomic9AtomicU324load17hf2ba4b147bea2371E", scope: !4, file: !204, line: 2842, type: !314, scopeLine: 2842, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !18)
!318 = !{!319, !320}
!319 = !DILocalVariable(name: "self", arg: 1, scope: !313, file: !204, line: 2842, type: !316)
!320 = !DILocalVariable(name: "order", arg: 2, scope: !313, file: !204, line: 2842, type: !27)
!321 = !DILocation(line: 2842, column: 25, scope: !313)
!322 = !DILocation(line: 2842, column: 32, scope: !313)
!323 = !DILocalVariable(name: "self", arg: 1, scope: !324, file: !325, line: 2443, type: !328)
!324 = distinct !DISubprogram(name: "get<u32>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17hc46eca473e12c8b5E", scope: !11, file: !325, line: 2443, type: !326, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !16, declaration: !329, retainedNodes: !330)
!325 = !DIFile(filename: "library/core/src/cell.rs", directory: ".", checksumkind: CSK_MD5, checksum: "96404e804c6faf0fea9fa631bcb8d1d2")
!326 = !DISubroutineType(types: !327)
!327 = !{!269, !328}
!328 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::cell::UnsafeCell<u32>", baseType: !11, size: 64, align: 64, dwarfAddressSpace: 0)
!329 = !DISubprogram(name: "get<u32>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17hc46eca473e12c8b5E", scope: !11, file: !325, line: 2443, type: !326, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !16)
!330 = !{!323}
!331 = !DILocation(line: 2443, column: 22, scope: !324, inlinedAt: !332)
!332 = !DILocation(line: 2844, column: 45, scope: !313)
!333 = !DILocation(line: 2844, column: 26, scope: !313)
!334 = !DILocation(line: 2845, column: 14, scope: !313)
!335 = distinct !DISubprogram(name: "store", linkageName: "_ZN4core4sync6atomic9AtomicU325store17h1a311a5f69020b62E", scope: !4, file: !204, line: 2870, type: !336, scopeLine: 2870, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !18, declaration: !338, retainedNodes: !339)
!336 = !DISubroutineType(types: !337)
!337 = !{null, !316, !15, !27}
!338 = !DISubprogram(name: "store", linkageName: "_ZN4core4sync6atomic9AtomicU325store17h1a311a5f69020b62E", scope: !4, file: !204, line: 2870, type: !336, scopeLine: 2870, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !18)
!339 = !{!340, !341, !342}
!340 = !DILocalVariable(name: "self", arg: 1, scope: !335, file: !204, line: 2870, type: !316)
!341 = !DILocalVariable(name: "val", arg: 2, scope: !335, file: !204, line: 2870, type: !15)
!342 = !DILocalVariable(name: "order", arg: 3, scope: !335, file: !204, line: 2870, type: !27)
!343 = !DILocation(line: 2870, column: 26, scope: !335)
!344 = !DILocation(line: 2870, column: 33, scope: !335)
!345 = !DILocation(line: 2870, column: 49, scope: !335)
!346 = !DILocalVariable(name: "self", arg: 1, scope: !347, file: !325, line: 2443, type: !328)
!347 = distinct !DISubprogram(name: "get<u32>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17hc46eca473e12c8b5E", scope: !11, file: !325, line: 2443, type: !326, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !24, templateParams: !16, declaration: !329, retainedNodes: !348)
!348 = !{!346}
!349 = !DILocation(line: 2443, column: 22, scope: !347, inlinedAt: !350)
!350 = !DILocation(line: 2872, column: 46, scope: !335)
!351 = !DILocation(line: 2872, column: 26, scope: !335)
!352 = !DILocation(line: 2873, column: 14, scope: !335)
!353 = distinct !DISubprogram(name: "main", scope: !2, file: !3, line: 25, type: !354, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !24, templateParams: !18, retainedNodes: !357)
!354 = !DISubroutineType(types: !355)
!355 = !{!356}
!356 = !DIBasicType(name: "i32", size: 32, encoding: DW_ATE_signed)
!357 = !{!358, !360, !362, !364, !366}
!358 = !DILocalVariable(name: "thread", scope: !359, file: !3, line: 26, type: !136, align: 64)
!359 = distinct !DILexicalBlock(scope: !353, file: !3, line: 26, column: 5)
!360 = !DILocalVariable(name: "last", scope: !361, file: !3, line: 28, type: !15, align: 32)
!361 = distinct !DILexicalBlock(scope: !359, file: !3, line: 28, column: 5)
!362 = !DILocalVariable(name: "round", scope: !363, file: !3, line: 29, type: !15, align: 32)
!363 = distinct !DILexicalBlock(scope: !361, file: !3, line: 29, column: 5)
!364 = !DILocalVariable(name: "found", scope: !365, file: !3, line: 31, type: !173, align: 32)
!365 = distinct !DILexicalBlock(scope: !363, file: !3, line: 31, column: 9)
!366 = !DILocalVariable(name: "value", scope: !367, file: !3, line: 33, type: !15, align: 32)
!367 = distinct !DILexicalBlock(scope: !365, file: !3, line: 33, column: 36)
!368 = !DILocation(line: 26, column: 9, scope: !359)
!369 = !DILocation(line: 28, column: 9, scope: !361)
!370 = !DILocation(line: 29, column: 9, scope: !363)
!371 = !DILocation(line: 31, column: 13, scope: !365)
!372 = !DILocation(line: 26, column: 22, scope: !353)
!373 = !DILocation(line: 27, column: 14, scope: !359)
!374 = !DILocation(line: 28, column: 20, scope: !359)
!375 = !DILocation(line: 29, column: 21, scope: !361)
!376 = !DILocation(line: 30, column: 5, scope: !363)
!377 = !DILocation(line: 30, column: 11, scope: !363)
!378 = !DILocation(line: 38, column: 27, scope: !363)
!379 = !DILocation(line: 38, column: 14, scope: !363)
!380 = !DILocation(line: 40, column: 2, scope: !353)
!381 = !DILocation(line: 31, column: 26, scope: !363)
!382 = !DILocation(line: 31, column: 21, scope: !363)
!383 = !DILocation(line: 32, column: 9, scope: !365)
!384 = !DILocation(line: 33, column: 30, scope: !367)
!385 = !DILocation(line: 33, column: 16, scope: !367)
!386 = !DILocation(line: 33, column: 21, scope: !367)
!387 = !DILocation(line: 34, column: 30, scope: !367)
!388 = !DILocation(line: 34, column: 21, scope: !367)
!389 = !DILocation(line: 34, column: 13, scope: !367)
!390 = !DILocation(line: 35, column: 20, scope: !367)
!391 = !DILocation(line: 35, column: 13, scope: !367)
!392 = !DILocation(line: 33, column: 9, scope: !365)
!393 = !DILocation(line: 25, column: 1, scope: !353)

declare void @__assert_fail(ptr, ptr, i32, ptr)
