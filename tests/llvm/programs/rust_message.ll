target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E = internal global <{ [5 x i8], [3 x i8] }> <{ [5 x i8] zeroinitializer, [3 x i8] undef }>, align 4, !dbg !0
@alloc_9cd20c3e415f4d39f0ceb012cb758628 = private unnamed_addr constant [40 x i8] c"there is no such thing as a release load", align 1
@alloc_e17502e153481471943c37e20438384b = private unnamed_addr constant [80 x i8] c"/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/sync/atomic.rs\00", align 1
@alloc_b7d26e4bc52b7f02cc25e37f0bf633e4 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\005\0F\00\00\18\00\00\00" }>, align 8
@alloc_96ab912d0054b46da785b206a96c9a45 = private unnamed_addr constant [49 x i8] c"there is no such thing as an acquire-release load", align 1
@alloc_738c866d826467e54726b360a2118a62 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\006\0F\00\00\17\00\00\00" }>, align 8
@alloc_bf39103a6db665396aab4632362d9353 = private unnamed_addr constant [42 x i8] c"there is no such thing as an acquire store", align 1
@alloc_a574beff59ab58cf5ed2d6bc163e2302 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\00&\0F\00\00\18\00\00\00" }>, align 8
@alloc_00c0bce0fa6327f8ec8e69d6d765d508 = private unnamed_addr constant [50 x i8] c"there is no such thing as an acquire-release store", align 1
@alloc_aec0388915b72a4f610ad656c35be884 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_e17502e153481471943c37e20438384b, [16 x i8] c"O\00\00\00\00\00\00\00'\0F\00\00\17\00\00\00" }>, align 8
@alloc_ae7231c8a6819b1e128b94b37d7c46c7 = private unnamed_addr constant [51 x i8] c"assertion failed: unsafe { *SLOT.data.get() } == 42", align 1
@alloc_097b0df203dd29a81badb4b7611e0536 = private unnamed_addr constant [16 x i8] c"rust_message.rs\00", align 1
@alloc_b153212556195678f77fe0482f131dd3 = private unnamed_addr constant <{ ptr, [16 x i8] }> <{ ptr @alloc_097b0df203dd29a81badb4b7611e0536, [16 x i8] c"\0F\00\00\00\00\00\00\00!\00\00\00\09\00\00\00" }>, align 8

; __rustc::rust_begin_unwind
; Function Attrs: noreturn nounwind nonlazybind uwtable
define void @_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind(ptr align 8 %_1) unnamed_addr #0 !dbg !45 {
start:
  %_1.dbg.spill = alloca [8 x i8], align 8
  store ptr %_1, ptr %_1.dbg.spill, align 8
    #dbg_declare(ptr %_1.dbg.spill, !174, !DIExpression(), !175)
  br label %bb1, !dbg !176

bb1:                                              ; preds = %bb1, %start
  br label %bb1, !dbg !176
}

; rust_message::write
; Function Attrs: nounwind nonlazybind uwtable
define internal ptr @_ZN12rust_message5write17h91cb9b8b96b11077E(ptr %_1) unnamed_addr #1 !dbg !177 {
start:
  %self.dbg.spill.i = alloca [8 x i8], align 8
  %_1.dbg.spill = alloca [8 x i8], align 8
  store ptr %_1, ptr %_1.dbg.spill, align 8
    #dbg_declare(ptr %_1.dbg.spill, !182, !DIExpression(), !183)
  store ptr @_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E, ptr %self.dbg.spill.i, align 8
    #dbg_declare(ptr %self.dbg.spill.i, !184, !DIExpression(), !193)
  store i32 42, ptr @_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E, align 4, !dbg !195
; call core::sync::atomic::AtomicBool::store
  call void @_ZN4core4sync6atomic10AtomicBool5store17he812ca11780a0504E(ptr align 1 getelementptr inbounds (i8, ptr @_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E, i64 4), i1 zeroext true, i8 1) #4, !dbg !196
  ret ptr null, !dbg !197
}

; core::sync::atomic::AtomicBool::load
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define internal zeroext i1 @_ZN4core4sync6atomic10AtomicBool4load17h6fa28830c93281ccE(ptr align 1 %self, i8 %order) unnamed_addr #2 !dbg !198 {
start:
  %order.dbg.spill = alloca [1 x i8], align 1
  %self.dbg.spill = alloca [8 x i8], align 8
  store ptr %self, ptr %self.dbg.spill, align 8
    #dbg_declare(ptr %self.dbg.spill, !205, !DIExpression(), !207)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !206, !DIExpression(), !208)
    #dbg_value(ptr %self, !209, !DIExpression(), !216)
; call core::sync::atomic::atomic_load
  %_3 = call i8 @_ZN4core4sync6atomic11atomic_load17he9daa49befb2ca3dE(ptr %self, i8 %order) #4, !dbg !218
  %_0 = icmp ne i8 %_3, 0, !dbg !218
  ret i1 %_0, !dbg !219
}

; core::sync::atomic::AtomicBool::store
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define internal void @_ZN4core4sync6atomic10AtomicBool5store17he812ca11780a0504E(ptr align 1 %self, i1 zeroext %val, i8 %order) unnamed_addr #2 !dbg !220 {
start:
  %order.dbg.spill = alloca [1 x i8], align 1
  %val.dbg.spill = alloca [1 x i8], align 1
  %self.dbg.spill = alloca [8 x i8], align 8
  store ptr %self, ptr %self.dbg.spill, align 8
    #dbg_declare(ptr %self.dbg.spill, !225, !DIExpression(), !228)
  %0 = zext i1 %val to i8
  store i8 %0, ptr %val.dbg.spill, align 1
    #dbg_declare(ptr %val.dbg.spill, !226, !DIExpression(), !229)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !227, !DIExpression(), !230)
    #dbg_value(ptr %self, !231, !DIExpression(), !234)
  %_7 = zext i1 %val to i8, !dbg !236
; call core::sync::atomic::atomic_store
  call void @_ZN4core4sync6atomic12atomic_store17hb588a4464e7877e4E(ptr %self, i8 %_7, i8 %order) #4, !dbg !237
  ret void, !dbg !238
}

; core::sync::atomic::atomic_load
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define i8 @_ZN4core4sync6atomic11atomic_load17he9daa49befb2ca3dE(ptr %dst, i8 %order) unnamed_addr #2 !dbg !239 {
start:
  %s.dbg.spill1 = alloca [16 x i8], align 8
  %s.dbg.spill = alloca [16 x i8], align 8
  %order.dbg.spill = alloca [1 x i8], align 1
  %dst.dbg.spill = alloca [8 x i8], align 8
  %_0 = alloca [1 x i8], align 1
  store ptr %dst, ptr %dst.dbg.spill, align 8
    #dbg_declare(ptr %dst.dbg.spill, !243, !DIExpression(), !245)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !244, !DIExpression(), !246)
  %_3 = zext i8 %order to i64, !dbg !247
  switch i64 %_3, label %bb1 [
    i64 0, label %bb6
    i64 1, label %bb3
    i64 2, label %bb5
    i64 3, label %bb2
    i64 4, label %bb4
  ], !dbg !248

bb1:                                              ; preds = %start
  unreachable, !dbg !247

bb6:                                              ; preds = %start
  %0 = load atomic i8, ptr %dst monotonic, align 1, !dbg !249
  store i8 %0, ptr %_0, align 1, !dbg !249
  br label %bb7, !dbg !249

bb3:                                              ; preds = %start
  store ptr @alloc_9cd20c3e415f4d39f0ceb012cb758628, ptr %s.dbg.spill, align 8, !dbg !250
  %1 = getelementptr inbounds i8, ptr %s.dbg.spill, i64 8, !dbg !250
  store i64 40, ptr %1, align 8, !dbg !250
    #dbg_declare(ptr %s.dbg.spill, !251, !DIExpression(), !258)
    #dbg_declare(ptr %s.dbg.spill, !259, !DIExpression(), !267)
    #dbg_declare(ptr %s.dbg.spill, !270, !DIExpression(), !275)
    #dbg_declare(ptr %s.dbg.spill, !277, !DIExpression(), !286)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_9cd20c3e415f4d39f0ceb012cb758628, ptr inttoptr (i64 81 to ptr), ptr align 8 @alloc_b7d26e4bc52b7f02cc25e37f0bf633e4) #5, !dbg !250
  unreachable, !dbg !250

bb5:                                              ; preds = %start
  %2 = load atomic i8, ptr %dst acquire, align 1, !dbg !289
  store i8 %2, ptr %_0, align 1, !dbg !289
  br label %bb7, !dbg !289

bb2:                                              ; preds = %start
  store ptr @alloc_96ab912d0054b46da785b206a96c9a45, ptr %s.dbg.spill1, align 8, !dbg !290
  %3 = getelementptr inbounds i8, ptr %s.dbg.spill1, i64 8, !dbg !290
  store i64 49, ptr %3, align 8, !dbg !290
    #dbg_declare(ptr %s.dbg.spill1, !251, !DIExpression(), !291)
    #dbg_declare(ptr %s.dbg.spill1, !259, !DIExpression(), !292)
    #dbg_declare(ptr %s.dbg.spill1, !270, !DIExpression(), !294)
    #dbg_declare(ptr %s.dbg.spill1, !277, !DIExpression(), !296)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_96ab912d0054b46da785b206a96c9a45, ptr inttoptr (i64 99 to ptr), ptr align 8 @alloc_738c866d826467e54726b360a2118a62) #5, !dbg !290
  unreachable, !dbg !290

bb4:                                              ; preds = %start
  %4 = load atomic i8, ptr %dst seq_cst, align 1, !dbg !298
  store i8 %4, ptr %_0, align 1, !dbg !298
  br label %bb7, !dbg !298

bb7:                                              ; preds = %bb4, %bb5, %bb6
  %5 = load i8, ptr %_0, align 1, !dbg !299
  ret i8 %5, !dbg !299
}

; core::sync::atomic::atomic_store
; Function Attrs: inlinehint nounwind nonlazybind uwtable
define void @_ZN4core4sync6atomic12atomic_store17hb588a4464e7877e4E(ptr %dst, i8 %val, i8 %order) unnamed_addr #2 !dbg !300 {
start:
  %s.dbg.spill1 = alloca [16 x i8], align 8
  %s.dbg.spill = alloca [16 x i8], align 8
  %order.dbg.spill = alloca [1 x i8], align 1
  %val.dbg.spill = alloca [1 x i8], align 1
  %dst.dbg.spill = alloca [8 x i8], align 8
  store ptr %dst, ptr %dst.dbg.spill, align 8
    #dbg_declare(ptr %dst.dbg.spill, !304, !DIExpression(), !307)
  store i8 %val, ptr %val.dbg.spill, align 1
    #dbg_declare(ptr %val.dbg.spill, !305, !DIExpression(), !308)
  store i8 %order, ptr %order.dbg.spill, align 1
    #dbg_declare(ptr %order.dbg.spill, !306, !DIExpression(), !309)
  %_4 = zext i8 %order to i64, !dbg !310
  switch i64 %_4, label %bb1 [
    i64 0, label %bb6
    i64 1, label %bb5
    i64 2, label %bb3
    i64 3, label %bb2
    i64 4, label %bb4
  ], !dbg !311

bb1:                                              ; preds = %start
  unreachable, !dbg !310

bb6:                                              ; preds = %start
  store atomic i8 %val, ptr %dst monotonic, align 1, !dbg !312
  br label %bb7, !dbg !312

bb5:                                              ; preds = %start
  store atomic i8 %val, ptr %dst release, align 1, !dbg !313
  br label %bb7, !dbg !313

bb3:                                              ; preds = %start
  store ptr @alloc_bf39103a6db665396aab4632362d9353, ptr %s.dbg.spill, align 8, !dbg !314
  %0 = getelementptr inbounds i8, ptr %s.dbg.spill, i64 8, !dbg !314
  store i64 42, ptr %0, align 8, !dbg !314
    #dbg_declare(ptr %s.dbg.spill, !315, !DIExpression(), !318)
    #dbg_declare(ptr %s.dbg.spill, !319, !DIExpression(), !322)
    #dbg_declare(ptr %s.dbg.spill, !325, !DIExpression(), !328)
    #dbg_declare(ptr %s.dbg.spill, !330, !DIExpression(), !333)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_bf39103a6db665396aab4632362d9353, ptr inttoptr (i64 85 to ptr), ptr align 8 @alloc_a574beff59ab58cf5ed2d6bc163e2302) #5, !dbg !314
  unreachable, !dbg !314

bb2:                                              ; preds = %start
  store ptr @alloc_00c0bce0fa6327f8ec8e69d6d765d508, ptr %s.dbg.spill1, align 8, !dbg !336
  %1 = getelementptr inbounds i8, ptr %s.dbg.spill1, i64 8, !dbg !336
  store i64 50, ptr %1, align 8, !dbg !336
    #dbg_declare(ptr %s.dbg.spill1, !315, !DIExpression(), !337)
    #dbg_declare(ptr %s.dbg.spill1, !319, !DIExpression(), !338)
    #dbg_declare(ptr %s.dbg.spill1, !325, !DIExpression(), !340)
    #dbg_declare(ptr %s.dbg.spill1, !330, !DIExpression(), !342)
; call core::panicking::panic_fmt
  call void @abort(ptr @alloc_00c0bce0fa6327f8ec8e69d6d765d508, ptr inttoptr (i64 101 to ptr), ptr align 8 @alloc_aec0388915b72a4f610ad656c35be884) #5, !dbg !336
  unreachable, !dbg !336

bb4:                                              ; preds = %start
  store atomic i8 %val, ptr %dst seq_cst, align 1, !dbg !344
  br label %bb7, !dbg !344

bb7:                                              ; preds = %bb4, %bb5, %bb6
  ret void, !dbg !345
}

; Function Attrs: nounwind nonlazybind uwtable
define i32 @main() unnamed_addr #1 !dbg !346 {
start:
  %self.dbg.spill.i = alloca [8 x i8], align 8
  %thread = alloca [8 x i8], align 8
    #dbg_declare(ptr %thread, !351, !DIExpression(), !353)
  store i64 0, ptr %thread, align 8, !dbg !354
  %_2 = call i32 @pthread_create(ptr %thread, ptr null, ptr @_ZN12rust_message5write17h91cb9b8b96b11077E, ptr null) #6, !dbg !355
; call core::sync::atomic::AtomicBool::load
  %_8 = call zeroext i1 @_ZN4core4sync6atomic10AtomicBool4load17h6fa28830c93281ccE(ptr align 1 getelementptr inbounds (i8, ptr @_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E, i64 4), i8 2) #4, !dbg !356
  br i1 %_8, label %bb5, label %bb8, !dbg !357

bb8:                                              ; preds = %bb5, %start
  %_19 = load i64, ptr %thread, align 8, !dbg !358
  %_18 = call i32 @pthread_join(i64 %_19, ptr null) #6, !dbg !359
  ret i32 0, !dbg !360

bb5:                                              ; preds = %start
  store ptr @_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E, ptr %self.dbg.spill.i, align 8
    #dbg_declare(ptr %self.dbg.spill.i, !184, !DIExpression(), !361)
  %_13 = load i32, ptr @_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E, align 4, !dbg !363
  %_12 = icmp eq i32 %_13, 42, !dbg !364
  br i1 %_12, label %bb8, label %bb7, !dbg !364

bb7:                                              ; preds = %bb5
; call core::panicking::panic
  call void @__assert_fail(ptr align 1 @alloc_ae7231c8a6819b1e128b94b37d7c46c7, i64 51, ptr align 8 @alloc_b153212556195678f77fe0482f131dd3) #5, !dbg !365
  unreachable, !dbg !365
}

; core::panicking::panic_fmt
; Function Attrs: cold noinline noreturn nounwind nonlazybind uwtable
declare void @abort(ptr, ptr, ptr align 8) unnamed_addr #3

; Function Attrs: nounwind nonlazybind uwtable
declare i32 @pthread_create(ptr, ptr, ptr, ptr) unnamed_addr #1

; core::panicking::panic
; Function Attrs: cold noinline noreturn nounwind nonlazybind uwtable

; Function Attrs: nounwind nonlazybind uwtable
declare i32 @pthread_join(i64, ptr) unnamed_addr #1

attributes #0 = { noreturn nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #2 = { inlinehint nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #3 = { cold noinline noreturn nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #4 = { inlinehint nounwind }
attributes #5 = { noinline noreturn nounwind }
attributes #6 = { nounwind }

!llvm.module.flags = !{!29, !30, !31, !32}
!llvm.ident = !{!33}
!llvm.dbg.cu = !{!34}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "SLOT", linkageName: "_ZN12rust_message4SLOT17h7c8c4a1c9632e2b5E", scope: !2, file: !3, line: 15, type: !4, isLocal: true, isDefinition: true, align: 32)
!2 = !DINamespace(name: "rust_message", scope: null)
!3 = !DIFile(filename: "rust_message.rs", directory: ".", checksumkind: CSK_MD5, checksum: "cff705bd2887d0bae7fa736d3a3f5d23")
!4 = !DICompositeType(tag: DW_TAG_structure_type, name: "Slot", scope: !2, file: !5, size: 64, align: 32, flags: DIFlagPrivate, elements: !6, templateParams: !28, identifier: "119f77491dbb0cd5204bb7a37e6480db")
!5 = !DIFile(filename: "<unknown>", directory: ".")
!6 = !{!7, !16}
!7 = !DIDerivedType(tag: DW_TAG_member, name: "data", scope: !4, file: !5, baseType: !8, size: 32, align: 32, flags: DIFlagPrivate)
!8 = !DICompositeType(tag: DW_TAG_structure_type, name: "UnsafeCell<u32>", scope: !9, file: !5, size: 32, align: 32, flags: DIFlagPublic, elements: !11, templateParams: !14, identifier: "276fcd5afdff990e3d83fbd36936145c")
!9 = !DINamespace(name: "cell", scope: !10)
!10 = !DINamespace(name: "core", scope: null)
!11 = !{!12}
!12 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !8, file: !5, baseType: !13, size: 32, align: 32, flags: DIFlagPrivate)
!13 = !DIBasicType(name: "u32", size: 32, encoding: DW_ATE_unsigned)
!14 = !{!15}
!15 = !DITemplateTypeParameter(name: "T", type: !13)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "full", scope: !4, file: !5, baseType: !17, size: 8, align: 8, offset: 32, flags: DIFlagPrivate)
!17 = !DICompositeType(tag: DW_TAG_structure_type, name: "AtomicBool", scope: !18, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !20, templateParams: !28, identifier: "60f0e70b153cf109f3b1ce7e34993661")
!18 = !DINamespace(name: "atomic", scope: !19)
!19 = !DINamespace(name: "sync", scope: !10)
!20 = !{!21}
!21 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !17, file: !5, baseType: !22, size: 8, align: 8, flags: DIFlagPrivate)
!22 = !DICompositeType(tag: DW_TAG_structure_type, name: "UnsafeCell<u8>", scope: !9, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !23, templateParams: !26, identifier: "df3fe7d204cf9645c1e0417088da45bf")
!23 = !{!24}
!24 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !22, file: !5, baseType: !25, size: 8, align: 8, flags: DIFlagPrivate)
!25 = !DIBasicType(name: "u8", size: 8, encoding: DW_ATE_unsigned)
!26 = !{!27}
!27 = !DITemplateTypeParameter(name: "T", type: !25)
!28 = !{}
!29 = !{i32 8, !"PIC Level", i32 2}
!30 = !{i32 2, !"RtLibUseGOT", i32 1}
!31 = !{i32 7, !"Dwarf Version", i32 4}
!32 = !{i32 2, !"Debug Info Version", i32 3}
!33 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
!34 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !35, producer: "clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !36, globals: !44, splitDebugInlining: false, nameTableKind: None)
!35 = !DIFile(filename: "rust_message.rs/@/rust_message.7f8fec5579937e11-cgu.0", directory: ".")
!36 = !{!37}
!37 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "Ordering", scope: !18, file: !5, baseType: !25, size: 8, align: 8, flags: DIFlagEnumClass, elements: !38)
!38 = !{!39, !40, !41, !42, !43}
!39 = !DIEnumerator(name: "Relaxed", value: 0, isUnsigned: true)
!40 = !DIEnumerator(name: "Release", value: 1, isUnsigned: true)
!41 = !DIEnumerator(name: "Acquire", value: 2, isUnsigned: true)
!42 = !DIEnumerator(name: "AcqRel", value: 3, isUnsigned: true)
!43 = !DIEnumerator(name: "SeqCst", value: 4, isUnsigned: true)
!44 = !{!0}
!45 = distinct !DISubprogram(name: "panic", linkageName: "_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind", scope: !2, file: !3, line: 40, type: !46, scopeLine: 40, flags: DIFlagPrototyped | DIFlagNoReturn, spFlags: DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !173)
!46 = !DISubroutineType(types: !47)
!47 = !{null, !48}
!48 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::panic::panic_info::PanicInfo", baseType: !49, size: 64, align: 64, dwarfAddressSpace: 0)
!49 = !DICompositeType(tag: DW_TAG_structure_type, name: "PanicInfo", scope: !50, file: !5, size: 192, align: 64, flags: DIFlagPublic, elements: !52, templateParams: !28, identifier: "1f197bfb0b2978b841a2bba287af0e4")
!50 = !DINamespace(name: "panic_info", scope: !51)
!51 = !DINamespace(name: "panic", scope: !10)
!52 = !{!53, !146, !170, !172}
!53 = !DIDerivedType(tag: DW_TAG_member, name: "message", scope: !49, file: !5, baseType: !54, size: 64, align: 64, flags: DIFlagPrivate)
!54 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::fmt::Arguments", baseType: !55, size: 64, align: 64, dwarfAddressSpace: 0)
!55 = !DICompositeType(tag: DW_TAG_structure_type, name: "Arguments", scope: !56, file: !5, size: 128, align: 64, flags: DIFlagPublic, elements: !57, templateParams: !28, identifier: "e5c67bbe046da39973c72077c7f66185")
!56 = !DINamespace(name: "fmt", scope: !10)
!57 = !{!58, !65}
!58 = !DIDerivedType(tag: DW_TAG_member, name: "template", scope: !55, file: !5, baseType: !59, size: 64, align: 64, flags: DIFlagPrivate)
!59 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<u8>", scope: !60, file: !5, size: 64, align: 64, flags: DIFlagPublic, elements: !62, templateParams: !26, identifier: "ff3cb4cecc4ed13dfb833309b96ea529")
!60 = !DINamespace(name: "non_null", scope: !61)
!61 = !DINamespace(name: "ptr", scope: !10)
!62 = !{!63}
!63 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !59, file: !5, baseType: !64, size: 64, align: 64, flags: DIFlagPrivate)
!64 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*const u8", baseType: !25, size: 64, align: 64, dwarfAddressSpace: 0)
!65 = !DIDerivedType(tag: DW_TAG_member, name: "args", scope: !55, file: !5, baseType: !66, size: 64, align: 64, offset: 64, flags: DIFlagPrivate)
!66 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<core::fmt::rt::Argument>", scope: !60, file: !5, size: 64, align: 64, flags: DIFlagPublic, elements: !67, templateParams: !144, identifier: "2e7cb7ba6db6aae8a5c20264d17cea0a")
!67 = !{!68}
!68 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !66, file: !5, baseType: !69, size: 64, align: 64, flags: DIFlagPrivate)
!69 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*const core::fmt::rt::Argument", baseType: !70, size: 64, align: 64, dwarfAddressSpace: 0)
!70 = !DICompositeType(tag: DW_TAG_structure_type, name: "Argument", scope: !71, file: !5, size: 128, align: 64, flags: DIFlagPublic, elements: !72, templateParams: !28, identifier: "1d5f7550f7e7e04cbc4d2cf57c27606b")
!71 = !DINamespace(name: "rt", scope: !56)
!72 = !{!73}
!73 = !DIDerivedType(tag: DW_TAG_member, name: "ty", scope: !70, file: !5, baseType: !74, size: 128, align: 64, flags: DIFlagPrivate)
!74 = !DICompositeType(tag: DW_TAG_structure_type, name: "ArgumentType", scope: !71, file: !5, size: 128, align: 64, flags: DIFlagPrivate, elements: !75, templateParams: !28, identifier: "b1cfb4618f1c38c3f96eab6c02edf448")
!75 = !{!76}
!76 = !DICompositeType(tag: DW_TAG_variant_part, scope: !74, file: !5, size: 128, align: 64, elements: !77, templateParams: !28, identifier: "fbd384083752b747f8b252853b979154", discriminator: !142)
!77 = !{!78, !138}
!78 = !DIDerivedType(tag: DW_TAG_member, name: "Placeholder", scope: !76, file: !5, baseType: !79, size: 128, align: 64)
!79 = !DICompositeType(tag: DW_TAG_structure_type, name: "Placeholder", scope: !74, file: !5, size: 128, align: 64, flags: DIFlagPrivate, elements: !80, templateParams: !28, identifier: "91d44a8fdafb90acd8f4961dbde4212b")
!80 = !{!81, !89, !132}
!81 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !79, file: !5, baseType: !82, size: 64, align: 64, flags: DIFlagPrivate)
!82 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<()>", scope: !60, file: !5, size: 64, align: 64, flags: DIFlagPublic, elements: !83, templateParams: !87, identifier: "f4e496144210c619b96aa08326287b92")
!83 = !{!84}
!84 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !82, file: !5, baseType: !85, size: 64, align: 64, flags: DIFlagPrivate)
!85 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*const ()", baseType: !86, size: 64, align: 64, dwarfAddressSpace: 0)
!86 = !DIBasicType(name: "()", encoding: DW_ATE_unsigned)
!87 = !{!88}
!88 = !DITemplateTypeParameter(name: "T", type: !86)
!89 = !DIDerivedType(tag: DW_TAG_member, name: "formatter", scope: !79, file: !5, baseType: !90, size: 64, align: 64, offset: 64, flags: DIFlagPrivate)
!90 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "unsafe fn(core::ptr::non_null::NonNull<()>, &mut core::fmt::Formatter) -> core::result::Result<(), core::fmt::Error>", baseType: !91, size: 64, align: 64, dwarfAddressSpace: 0)
!91 = !DISubroutineType(types: !92)
!92 = !{!93, !82, !110}
!93 = !DICompositeType(tag: DW_TAG_structure_type, name: "Result<(), core::fmt::Error>", scope: !94, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !95, templateParams: !28, identifier: "1c6752419820cdc3961061cc58b31873")
!94 = !DINamespace(name: "result", scope: !10)
!95 = !{!96}
!96 = !DICompositeType(tag: DW_TAG_variant_part, scope: !93, file: !5, size: 8, align: 8, elements: !97, templateParams: !28, identifier: "92c1f85eaa1d7dab2e3165ee2fc4946", discriminator: !109)
!97 = !{!98, !105}
!98 = !DIDerivedType(tag: DW_TAG_member, name: "Ok", scope: !96, file: !5, baseType: !99, size: 8, align: 8, extraData: i8 0)
!99 = !DICompositeType(tag: DW_TAG_structure_type, name: "Ok", scope: !93, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !100, templateParams: !102, identifier: "1d7115f6c7f9f62c2100933bba0c76f9")
!100 = !{!101}
!101 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !99, file: !5, baseType: !86, align: 8, offset: 8, flags: DIFlagPublic)
!102 = !{!88, !103}
!103 = !DITemplateTypeParameter(name: "E", type: !104)
!104 = !DICompositeType(tag: DW_TAG_structure_type, name: "Error", scope: !56, file: !5, align: 8, flags: DIFlagPublic, elements: !28, identifier: "5a24300cdda31093f5fe20c939b4885")
!105 = !DIDerivedType(tag: DW_TAG_member, name: "Err", scope: !96, file: !5, baseType: !106, size: 8, align: 8, extraData: i8 1)
!106 = !DICompositeType(tag: DW_TAG_structure_type, name: "Err", scope: !93, file: !5, size: 8, align: 8, flags: DIFlagPublic, elements: !107, templateParams: !102, identifier: "27094aa3bc4c448bf12b8530386fdeb2")
!107 = !{!108}
!108 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !106, file: !5, baseType: !104, align: 8, offset: 8, flags: DIFlagPublic)
!109 = !DIDerivedType(tag: DW_TAG_member, scope: !93, file: !5, baseType: !25, size: 8, align: 8, flags: DIFlagArtificial)
!110 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&mut core::fmt::Formatter", baseType: !111, size: 64, align: 64, dwarfAddressSpace: 0)
!111 = !DICompositeType(tag: DW_TAG_structure_type, name: "Formatter", scope: !56, file: !5, size: 192, align: 64, flags: DIFlagPublic, elements: !112, templateParams: !28, identifier: "c45a1f7f7c29ecbbdbd29c835fac516c")
!112 = !{!113, !120}
!113 = !DIDerivedType(tag: DW_TAG_member, name: "options", scope: !111, file: !5, baseType: !114, size: 64, align: 32, offset: 128, flags: DIFlagPrivate)
!114 = !DICompositeType(tag: DW_TAG_structure_type, name: "FormattingOptions", scope: !56, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !115, templateParams: !28, identifier: "ca2f5547247cd95c514a47d5800e09e")
!115 = !{!116, !117, !119}
!116 = !DIDerivedType(tag: DW_TAG_member, name: "flags", scope: !114, file: !5, baseType: !13, size: 32, align: 32, flags: DIFlagPrivate)
!117 = !DIDerivedType(tag: DW_TAG_member, name: "width", scope: !114, file: !5, baseType: !118, size: 16, align: 16, offset: 32, flags: DIFlagPrivate)
!118 = !DIBasicType(name: "u16", size: 16, encoding: DW_ATE_unsigned)
!119 = !DIDerivedType(tag: DW_TAG_member, name: "precision", scope: !114, file: !5, baseType: !118, size: 16, align: 16, offset: 48, flags: DIFlagPrivate)
!120 = !DIDerivedType(tag: DW_TAG_member, name: "buf", scope: !111, file: !5, baseType: !121, size: 128, align: 64, flags: DIFlagPrivate)
!121 = !DICompositeType(tag: DW_TAG_structure_type, name: "&mut dyn core::fmt::Write", file: !5, size: 128, align: 64, elements: !122, templateParams: !28, identifier: "effe97114690fc58a8e246cb04e37234")
!122 = !{!123, !126}
!123 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !121, file: !5, baseType: !124, size: 64, align: 64)
!124 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !125, size: 64, align: 64, dwarfAddressSpace: 0)
!125 = !DICompositeType(tag: DW_TAG_structure_type, name: "dyn core::fmt::Write", file: !5, align: 8, elements: !28, identifier: "64328679825f9c73b507edbfd5b86b47")
!126 = !DIDerivedType(tag: DW_TAG_member, name: "vtable", scope: !121, file: !5, baseType: !127, size: 64, align: 64, offset: 64)
!127 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&[usize; 6]", baseType: !128, size: 64, align: 64, dwarfAddressSpace: 0)
!128 = !DICompositeType(tag: DW_TAG_array_type, baseType: !129, size: 384, align: 64, elements: !130)
!129 = !DIBasicType(name: "usize", size: 64, encoding: DW_ATE_unsigned)
!130 = !{!131}
!131 = !DISubrange(count: 6, lowerBound: 0)
!132 = !DIDerivedType(tag: DW_TAG_member, name: "_lifetime", scope: !79, file: !5, baseType: !133, align: 8, offset: 128, flags: DIFlagPrivate)
!133 = !DICompositeType(tag: DW_TAG_structure_type, name: "PhantomData<&()>", scope: !134, file: !5, align: 8, flags: DIFlagPublic, elements: !28, templateParams: !135, identifier: "efa596960370766459fc018866dc4048")
!134 = !DINamespace(name: "marker", scope: !10)
!135 = !{!136}
!136 = !DITemplateTypeParameter(name: "T", type: !137)
!137 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&()", baseType: !86, size: 64, align: 64, dwarfAddressSpace: 0)
!138 = !DIDerivedType(tag: DW_TAG_member, name: "Count", scope: !76, file: !5, baseType: !139, size: 128, align: 64, extraData: i64 0)
!139 = !DICompositeType(tag: DW_TAG_structure_type, name: "Count", scope: !74, file: !5, size: 128, align: 64, flags: DIFlagPrivate, elements: !140, templateParams: !28, identifier: "1d9161ed3114ac1c26d36137fc96704d")
!140 = !{!141}
!141 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !139, file: !5, baseType: !118, size: 16, align: 16, offset: 64, flags: DIFlagPrivate)
!142 = !DIDerivedType(tag: DW_TAG_member, scope: !74, file: !5, baseType: !143, size: 64, align: 64, flags: DIFlagArtificial)
!143 = !DIBasicType(name: "u64", size: 64, encoding: DW_ATE_unsigned)
!144 = !{!145}
!145 = !DITemplateTypeParameter(name: "T", type: !70)
!146 = !DIDerivedType(tag: DW_TAG_member, name: "location", scope: !49, file: !5, baseType: !147, size: 64, align: 64, offset: 64, flags: DIFlagPrivate)
!147 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::panic::location::Location", baseType: !148, size: 64, align: 64, dwarfAddressSpace: 0)
!148 = !DICompositeType(tag: DW_TAG_structure_type, name: "Location", scope: !149, file: !5, size: 192, align: 64, flags: DIFlagPublic, elements: !150, templateParams: !28, identifier: "c23b7de1297af8f4a89df3da49f37ee6")
!149 = !DINamespace(name: "location", scope: !51)
!150 = !{!151, !160, !161, !162}
!151 = !DIDerivedType(tag: DW_TAG_member, name: "filename", scope: !148, file: !5, baseType: !152, size: 128, align: 64, flags: DIFlagPrivate)
!152 = !DICompositeType(tag: DW_TAG_structure_type, name: "NonNull<str>", scope: !60, file: !5, size: 128, align: 64, flags: DIFlagPublic, elements: !153, templateParams: !26, identifier: "cc7383b2ce73f6838bfb6ae828fb6ae6")
!153 = !{!154}
!154 = !DIDerivedType(tag: DW_TAG_member, name: "pointer", scope: !152, file: !5, baseType: !155, size: 128, align: 64, flags: DIFlagPrivate)
!155 = !DICompositeType(tag: DW_TAG_structure_type, name: "*const str", file: !5, size: 128, align: 64, elements: !156, templateParams: !28, identifier: "238a44609877474087c05adf26cd41fa")
!156 = !{!157, !159}
!157 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !155, file: !5, baseType: !158, size: 64, align: 64)
!158 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64, align: 64, dwarfAddressSpace: 0)
!159 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !155, file: !5, baseType: !129, size: 64, align: 64, offset: 64)
!160 = !DIDerivedType(tag: DW_TAG_member, name: "line", scope: !148, file: !5, baseType: !13, size: 32, align: 32, offset: 128, flags: DIFlagPrivate)
!161 = !DIDerivedType(tag: DW_TAG_member, name: "col", scope: !148, file: !5, baseType: !13, size: 32, align: 32, offset: 160, flags: DIFlagPrivate)
!162 = !DIDerivedType(tag: DW_TAG_member, name: "_filename", scope: !148, file: !5, baseType: !163, align: 8, offset: 192, flags: DIFlagPrivate)
!163 = !DICompositeType(tag: DW_TAG_structure_type, name: "PhantomData<&str>", scope: !134, file: !5, align: 8, flags: DIFlagPublic, elements: !28, templateParams: !164, identifier: "e16ac355808b6aef9fb50b5f125fee05")
!164 = !{!165}
!165 = !DITemplateTypeParameter(name: "T", type: !166)
!166 = !DICompositeType(tag: DW_TAG_structure_type, name: "&str", file: !5, size: 128, align: 64, elements: !167, templateParams: !28, identifier: "9277eecd40495f85161460476aacc992")
!167 = !{!168, !169}
!168 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !166, file: !5, baseType: !158, size: 64, align: 64)
!169 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !166, file: !5, baseType: !129, size: 64, align: 64, offset: 64)
!170 = !DIDerivedType(tag: DW_TAG_member, name: "can_unwind", scope: !49, file: !5, baseType: !171, size: 8, align: 8, offset: 128, flags: DIFlagPrivate)
!171 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!172 = !DIDerivedType(tag: DW_TAG_member, name: "force_no_backtrace", scope: !49, file: !5, baseType: !171, size: 8, align: 8, offset: 136, flags: DIFlagPrivate)
!173 = !{!174}
!174 = !DILocalVariable(arg: 1, scope: !45, file: !3, line: 40, type: !48)
!175 = !DILocation(line: 40, column: 10, scope: !45)
!176 = !DILocation(line: 41, column: 5, scope: !45)
!177 = distinct !DISubprogram(name: "write", linkageName: "_ZN12rust_message5write17h91cb9b8b96b11077E", scope: !2, file: !3, line: 22, type: !178, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !181)
!178 = !DISubroutineType(types: !179)
!179 = !{!180, !180}
!180 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*mut u8", baseType: !25, size: 64, align: 64, dwarfAddressSpace: 0)
!181 = !{!182}
!182 = !DILocalVariable(arg: 1, scope: !177, file: !3, line: 22, type: !180)
!183 = !DILocation(line: 22, column: 21, scope: !177)
!184 = !DILocalVariable(name: "self", arg: 1, scope: !185, file: !186, line: 2443, type: !190)
!185 = distinct !DISubprogram(name: "get<u32>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17h945c9a27e181cc70E", scope: !8, file: !186, line: 2443, type: !187, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !14, declaration: !191, retainedNodes: !192)
!186 = !DIFile(filename: "library/core/src/cell.rs", directory: ".", checksumkind: CSK_MD5, checksum: "96404e804c6faf0fea9fa631bcb8d1d2")
!187 = !DISubroutineType(types: !188)
!188 = !{!189, !190}
!189 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*mut u32", baseType: !13, size: 64, align: 64, dwarfAddressSpace: 0)
!190 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::cell::UnsafeCell<u32>", baseType: !8, size: 64, align: 64, dwarfAddressSpace: 0)
!191 = !DISubprogram(name: "get<u32>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17h945c9a27e181cc70E", scope: !8, file: !186, line: 2443, type: !187, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !14)
!192 = !{!184}
!193 = !DILocation(line: 2443, column: 22, scope: !185, inlinedAt: !194)
!194 = distinct !DILocation(line: 23, column: 25, scope: !177)
!195 = !DILocation(line: 23, column: 14, scope: !177)
!196 = !DILocation(line: 24, column: 15, scope: !177)
!197 = !DILocation(line: 26, column: 2, scope: !177)
!198 = distinct !DISubprogram(name: "load", linkageName: "_ZN4core4sync6atomic10AtomicBool4load17h6fa28830c93281ccE", scope: !17, file: !199, line: 726, type: !200, scopeLine: 726, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, declaration: !203, retainedNodes: !204)
!199 = !DIFile(filename: "library/core/src/sync/atomic.rs", directory: ".", checksumkind: CSK_MD5, checksum: "efd884d336fd52cdd46abf1cb836765b")
!200 = !DISubroutineType(types: !201)
!201 = !{!171, !202, !37}
!202 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::sync::atomic::AtomicBool", baseType: !17, size: 64, align: 64, dwarfAddressSpace: 0)
!203 = !DISubprogram(name: "load", linkageName: "_ZN4core4sync6atomic10AtomicBool4load17h6fa28830c93281ccE", scope: !17, file: !199, line: 726, type: !200, scopeLine: 726, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !28)
!204 = !{!205, !206}
!205 = !DILocalVariable(name: "self", arg: 1, scope: !198, file: !199, line: 726, type: !202)
!206 = !DILocalVariable(name: "order", arg: 2, scope: !198, file: !199, line: 726, type: !37)
!207 = !DILocation(line: 726, column: 17, scope: !198)
!208 = !DILocation(line: 726, column: 24, scope: !198)
!209 = !DILocalVariable(name: "self", arg: 1, scope: !210, file: !186, line: 2443, type: !213)
!210 = distinct !DISubprogram(name: "get<u8>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17hd7778e01baa5e915E", scope: !22, file: !186, line: 2443, type: !211, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !26, declaration: !214, retainedNodes: !215)
!211 = !DISubroutineType(types: !212)
!212 = !{!180, !213}
!213 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::cell::UnsafeCell<u8>", baseType: !22, size: 64, align: 64, dwarfAddressSpace: 0)
!214 = !DISubprogram(name: "get<u8>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17hd7778e01baa5e915E", scope: !22, file: !186, line: 2443, type: !211, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !26)
!215 = !{!209}
!216 = !DILocation(line: 2443, column: 22, scope: !210, inlinedAt: !217)
!217 = !DILocation(line: 729, column: 37, scope: !198)
!218 = !DILocation(line: 729, column: 18, scope: !198)
!219 = !DILocation(line: 730, column: 6, scope: !198)
!220 = distinct !DISubprogram(name: "store", linkageName: "_ZN4core4sync6atomic10AtomicBool5store17he812ca11780a0504E", scope: !17, file: !199, line: 755, type: !221, scopeLine: 755, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, declaration: !223, retainedNodes: !224)
!221 = !DISubroutineType(types: !222)
!222 = !{null, !202, !171, !37}
!223 = !DISubprogram(name: "store", linkageName: "_ZN4core4sync6atomic10AtomicBool5store17he812ca11780a0504E", scope: !17, file: !199, line: 755, type: !221, scopeLine: 755, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !28)
!224 = !{!225, !226, !227}
!225 = !DILocalVariable(name: "self", arg: 1, scope: !220, file: !199, line: 755, type: !202)
!226 = !DILocalVariable(name: "val", arg: 2, scope: !220, file: !199, line: 755, type: !171)
!227 = !DILocalVariable(name: "order", arg: 3, scope: !220, file: !199, line: 755, type: !37)
!228 = !DILocation(line: 755, column: 18, scope: !220)
!229 = !DILocation(line: 755, column: 25, scope: !220)
!230 = !DILocation(line: 755, column: 36, scope: !220)
!231 = !DILocalVariable(name: "self", arg: 1, scope: !232, file: !186, line: 2443, type: !213)
!232 = distinct !DISubprogram(name: "get<u8>", linkageName: "_ZN4core4cell19UnsafeCell$LT$T$GT$3get17hd7778e01baa5e915E", scope: !22, file: !186, line: 2443, type: !211, scopeLine: 2443, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !26, declaration: !214, retainedNodes: !233)
!233 = !{!231}
!234 = !DILocation(line: 2443, column: 22, scope: !232, inlinedAt: !235)
!235 = !DILocation(line: 759, column: 33, scope: !220)
!236 = !DILocation(line: 759, column: 40, scope: !220)
!237 = !DILocation(line: 759, column: 13, scope: !220)
!238 = !DILocation(line: 761, column: 6, scope: !220)
!239 = distinct !DISubprogram(name: "atomic_load<u8>", linkageName: "_ZN4core4sync6atomic11atomic_load17he9daa49befb2ca3dE", scope: !18, file: !199, line: 3886, type: !240, scopeLine: 3886, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !26, retainedNodes: !242)
!240 = !DISubroutineType(types: !241)
!241 = !{!25, !64, !37}
!242 = !{!243, !244}
!243 = !DILocalVariable(name: "dst", arg: 1, scope: !239, file: !199, line: 3886, type: !64)
!244 = !DILocalVariable(name: "order", arg: 2, scope: !239, file: !199, line: 3886, type: !37)
!245 = !DILocation(line: 3886, column: 32, scope: !239)
!246 = !DILocation(line: 3886, column: 47, scope: !239)
!247 = !DILocation(line: 3889, column: 15, scope: !239)
!248 = !DILocation(line: 3889, column: 9, scope: !239)
!249 = !DILocation(line: 3890, column: 24, scope: !239)
!250 = !DILocation(line: 3893, column: 24, scope: !239)
!251 = !DILocalVariable(name: "s", arg: 1, scope: !252, file: !253, line: 815, type: !166)
!252 = distinct !DISubprogram(name: "from_str", linkageName: "_ZN4core3fmt9Arguments8from_str17h74ebcca6d794d94dE", scope: !55, file: !253, line: 815, type: !254, scopeLine: 815, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, declaration: !256, retainedNodes: !257)
!253 = !DIFile(filename: "library/core/src/fmt/mod.rs", directory: ".", checksumkind: CSK_MD5, checksum: "66c54229528687a22c80807f245fa4df")
!254 = !DISubroutineType(types: !255)
!255 = !{!55, !166}
!256 = !DISubprogram(name: "from_str", linkageName: "_ZN4core3fmt9Arguments8from_str17h74ebcca6d794d94dE", scope: !55, file: !253, line: 815, type: !254, scopeLine: 815, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit, templateParams: !28)
!257 = !{!251}
!258 = !DILocation(line: 815, column: 27, scope: !252, inlinedAt: !250)
!259 = !DILocalVariable(name: "self", arg: 1, scope: !260, file: !261, line: 578, type: !166)
!260 = distinct !DISubprogram(name: "as_ptr", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre6as_ptr", scope: !262, file: !261, line: 578, type: !264, scopeLine: 578, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !266)
!261 = !DIFile(filename: "library/core/src/str/mod.rs", directory: ".", checksumkind: CSK_MD5, checksum: "b67baab1b9aefdbe1feb84767953c83d")
!262 = !DINamespace(name: "{impl#0}", scope: !263)
!263 = !DINamespace(name: "str", scope: !10)
!264 = !DISubroutineType(types: !265)
!265 = !{!64, !166}
!266 = !{!259}
!267 = !DILocation(line: 578, column: 25, scope: !260, inlinedAt: !268)
!268 = !DILocation(line: 819, column: 44, scope: !269, inlinedAt: !250)
!269 = !DILexicalBlockFile(scope: !252, file: !253, discriminator: 2)
!270 = !DILocalVariable(name: "self", arg: 1, scope: !271, file: !261, line: 157, type: !166)
!271 = distinct !DISubprogram(name: "len", linkageName: "_ZN4core3str21_$LT$impl$u20$str$GT$3len17h3bb5e99ae5624703E", scope: !262, file: !261, line: 157, type: !272, scopeLine: 157, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !274)
!272 = !DISubroutineType(types: !273)
!273 = !{!129, !166}
!274 = !{!270}
!275 = !DILocation(line: 157, column: 22, scope: !271, inlinedAt: !276)
!276 = !DILocation(line: 820, column: 40, scope: !269, inlinedAt: !250)
!277 = !DILocalVariable(name: "self", arg: 1, scope: !278, file: !261, line: 502, type: !166)
!278 = distinct !DISubprogram(name: "as_bytes", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre8as_bytes", scope: !262, file: !261, line: 502, type: !279, scopeLine: 502, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !285)
!279 = !DISubroutineType(types: !280)
!280 = !{!281, !166}
!281 = !DICompositeType(tag: DW_TAG_structure_type, name: "&[u8]", file: !5, size: 128, align: 64, elements: !282, templateParams: !28, identifier: "31681e0c10b314f1f33e38b2779acbb4")
!282 = !{!283, !284}
!283 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !281, file: !5, baseType: !158, size: 64, align: 64)
!284 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !281, file: !5, baseType: !129, size: 64, align: 64, offset: 64)
!285 = !{!277}
!286 = !DILocation(line: 502, column: 27, scope: !278, inlinedAt: !287)
!287 = !DILocation(line: 158, column: 14, scope: !288, inlinedAt: !276)
!288 = !DILexicalBlockFile(scope: !271, file: !261, discriminator: 2)
!289 = !DILocation(line: 3891, column: 24, scope: !239)
!290 = !DILocation(line: 3894, column: 23, scope: !239)
!291 = !DILocation(line: 815, column: 27, scope: !252, inlinedAt: !290)
!292 = !DILocation(line: 578, column: 25, scope: !260, inlinedAt: !293)
!293 = !DILocation(line: 819, column: 44, scope: !252, inlinedAt: !290)
!294 = !DILocation(line: 157, column: 22, scope: !271, inlinedAt: !295)
!295 = !DILocation(line: 820, column: 40, scope: !252, inlinedAt: !290)
!296 = !DILocation(line: 502, column: 27, scope: !278, inlinedAt: !297)
!297 = !DILocation(line: 158, column: 14, scope: !271, inlinedAt: !295)
!298 = !DILocation(line: 3892, column: 23, scope: !239)
!299 = !DILocation(line: 3897, column: 2, scope: !239)
!300 = distinct !DISubprogram(name: "atomic_store<u8>", linkageName: "_ZN4core4sync6atomic12atomic_store17hb588a4464e7877e4E", scope: !18, file: !199, line: 3871, type: !301, scopeLine: 3871, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !26, retainedNodes: !303)
!301 = !DISubroutineType(types: !302)
!302 = !{null, !180, !25, !37}
!303 = !{!304, !305, !306}
!304 = !DILocalVariable(name: "dst", arg: 1, scope: !300, file: !199, line: 3871, type: !180)
!305 = !DILocalVariable(name: "val", arg: 2, scope: !300, file: !199, line: 3871, type: !25)
!306 = !DILocalVariable(name: "order", arg: 3, scope: !300, file: !199, line: 3871, type: !37)
!307 = !DILocation(line: 3871, column: 33, scope: !300)
!308 = !DILocation(line: 3871, column: 46, scope: !300)
!309 = !DILocation(line: 3871, column: 54, scope: !300)
!310 = !DILocation(line: 3874, column: 15, scope: !300)
!311 = !DILocation(line: 3874, column: 9, scope: !300)
!312 = !DILocation(line: 3875, column: 24, scope: !300)
!313 = !DILocation(line: 3876, column: 24, scope: !300)
!314 = !DILocation(line: 3878, column: 24, scope: !300)
!315 = !DILocalVariable(name: "s", arg: 1, scope: !316, file: !253, line: 815, type: !166)
!316 = distinct !DISubprogram(name: "from_str", linkageName: "_ZN4core3fmt9Arguments8from_str17h74ebcca6d794d94dE", scope: !55, file: !253, line: 815, type: !254, scopeLine: 815, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, declaration: !256, retainedNodes: !317)
!317 = !{!315}
!318 = !DILocation(line: 815, column: 27, scope: !316, inlinedAt: !314)
!319 = !DILocalVariable(name: "self", arg: 1, scope: !320, file: !261, line: 578, type: !166)
!320 = distinct !DISubprogram(name: "as_ptr", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre6as_ptr", scope: !262, file: !261, line: 578, type: !264, scopeLine: 578, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !321)
!321 = !{!319}
!322 = !DILocation(line: 578, column: 25, scope: !320, inlinedAt: !323)
!323 = !DILocation(line: 819, column: 44, scope: !324, inlinedAt: !314)
!324 = !DILexicalBlockFile(scope: !316, file: !253, discriminator: 2)
!325 = !DILocalVariable(name: "self", arg: 1, scope: !326, file: !261, line: 157, type: !166)
!326 = distinct !DISubprogram(name: "len", linkageName: "_ZN4core3str21_$LT$impl$u20$str$GT$3len17h3bb5e99ae5624703E", scope: !262, file: !261, line: 157, type: !272, scopeLine: 157, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !327)
!327 = !{!325}
!328 = !DILocation(line: 157, column: 22, scope: !326, inlinedAt: !329)
!329 = !DILocation(line: 820, column: 40, scope: !324, inlinedAt: !314)
!330 = !DILocalVariable(name: "self", arg: 1, scope: !331, file: !261, line: 502, type: !166)
!331 = distinct !DISubprogram(name: "as_bytes", linkageName: "_RNvMNtCsgEmfK2I1SDS_4core3stre8as_bytes", scope: !262, file: !261, line: 502, type: !279, scopeLine: 502, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !332)
!332 = !{!330}
!333 = !DILocation(line: 502, column: 27, scope: !331, inlinedAt: !334)
!334 = !DILocation(line: 158, column: 14, scope: !335, inlinedAt: !329)
!335 = !DILexicalBlockFile(scope: !326, file: !261, discriminator: 2)
!336 = !DILocation(line: 3879, column: 23, scope: !300)
!337 = !DILocation(line: 815, column: 27, scope: !316, inlinedAt: !336)
!338 = !DILocation(line: 578, column: 25, scope: !320, inlinedAt: !339)
!339 = !DILocation(line: 819, column: 44, scope: !316, inlinedAt: !336)
!340 = !DILocation(line: 157, column: 22, scope: !326, inlinedAt: !341)
!341 = !DILocation(line: 820, column: 40, scope: !316, inlinedAt: !336)
!342 = !DILocation(line: 502, column: 27, scope: !331, inlinedAt: !343)
!343 = !DILocation(line: 158, column: 14, scope: !326, inlinedAt: !341)
!344 = !DILocation(line: 3877, column: 23, scope: !300)
!345 = !DILocation(line: 3882, column: 2, scope: !300)
!346 = distinct !DISubprogram(name: "main", scope: !2, file: !3, line: 29, type: !347, scopeLine: 29, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !34, templateParams: !28, retainedNodes: !350)
!347 = !DISubroutineType(types: !348)
!348 = !{!349}
!349 = !DIBasicType(name: "i32", size: 32, encoding: DW_ATE_signed)
!350 = !{!351}
!351 = !DILocalVariable(name: "thread", scope: !352, file: !3, line: 30, type: !143, align: 64)
!352 = distinct !DILexicalBlock(scope: !346, file: !3, line: 30, column: 5)
!353 = !DILocation(line: 30, column: 9, scope: !352)
!354 = !DILocation(line: 30, column: 22, scope: !346)
!355 = !DILocation(line: 31, column: 14, scope: !352)
!356 = !DILocation(line: 32, column: 18, scope: !352)
!357 = !DILocation(line: 32, column: 8, scope: !352)
!358 = !DILocation(line: 35, column: 27, scope: !352)
!359 = !DILocation(line: 35, column: 14, scope: !352)
!360 = !DILocation(line: 37, column: 2, scope: !346)
!361 = !DILocation(line: 2443, column: 22, scope: !185, inlinedAt: !362)
!362 = distinct !DILocation(line: 33, column: 37, scope: !352)
!363 = !DILocation(line: 33, column: 26, scope: !352)
!364 = !DILocation(line: 33, column: 17, scope: !352)
!365 = !DILocation(line: 33, column: 9, scope: !352)

declare void @__assert_fail(ptr, ptr, i32, ptr)
