target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.shared = type { i32, i32, i32 }

@shared = global %struct.shared zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [18 x i8] c"shared.count == 2\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [13 x i8] c"recomputed.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !27

define i32 @main() !dbg !48 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !52, !DIExpression(), !56)
    #dbg_declare(ptr %2, !57, !DIExpression(), !58)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef @shared), !dbg !59
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @worker, ptr noundef @shared), !dbg !60
  %5 = load i64, ptr %1, align 8, !dbg !61
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !62
  %7 = load i64, ptr %2, align 8, !dbg !63
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !64
  %9 = load i32, ptr getelementptr inbounds nuw (%struct.shared, ptr @shared, i32 0, i32 2), align 4, !dbg !65
  %10 = icmp eq i32 %9, 2, !dbg !68
  br i1 %10, label %11, label %12, !dbg !68

11:                                               ; preds = %0
  br label %13, !dbg !68

12:                                               ; preds = %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 30, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !69
  unreachable, !dbg !69

13:                                               ; preds = %11
  ret i32 0, !dbg !70
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !71 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !75, !DIExpression(), !76)
  br label %8, !dbg !77

8:                                                ; preds = %21, %1
    #dbg_declare(ptr %3, !78, !DIExpression(), !83)
  %9 = load ptr, ptr %2, align 8, !dbg !84
  store ptr %9, ptr %3, align 8, !dbg !83
    #dbg_declare(ptr %4, !85, !DIExpression(), !87)
  %10 = load ptr, ptr %3, align 8, !dbg !88
  %11 = getelementptr inbounds nuw %struct.shared, ptr %10, i32 0, i32 1, !dbg !89
  store ptr %11, ptr %4, align 8, !dbg !87
  %12 = load ptr, ptr %4, align 8, !dbg !90
  store i32 1, ptr %5, align 4, !dbg !92
  %13 = load i32, ptr %5, align 4, !dbg !92
  %14 = atomicrmw xchg ptr %12, i32 %13 acquire, align 4, !dbg !92
  store i32 %14, ptr %6, align 4, !dbg !92
  %15 = load i32, ptr %6, align 4, !dbg !92
  %16 = load ptr, ptr %3, align 8, !dbg !93
  %17 = getelementptr inbounds nuw %struct.shared, ptr %16, i32 0, i32 0, !dbg !94
  %18 = load i32, ptr %17, align 4, !dbg !94
  %19 = icmp eq i32 %15, %18, !dbg !95
  br i1 %19, label %20, label %21, !dbg !95

20:                                               ; preds = %8
  br label %22, !dbg !96

21:                                               ; preds = %8
  br label %8, !dbg !97, !llvm.loop !98

22:                                               ; preds = %20
  %23 = load i32, ptr getelementptr inbounds nuw (%struct.shared, ptr @shared, i32 0, i32 2), align 4, !dbg !101
  %24 = add nsw i32 %23, 1, !dbg !101
  store i32 %24, ptr getelementptr inbounds nuw (%struct.shared, ptr @shared, i32 0, i32 2), align 4, !dbg !101
  store i32 0, ptr %7, align 4, !dbg !102
  %25 = load i32, ptr %7, align 4, !dbg !102
  store atomic i32 %25, ptr getelementptr inbounds nuw (%struct.shared, ptr @shared, i32 0, i32 1) release, align 4, !dbg !102
  ret ptr null, !dbg !103
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!41, !42, !43, !44, !45, !46}
!llvm.ident = !{!47}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "shared", scope: !2, file: !3, line: 10, type: !33, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "recomputed.c", directory: ".")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 68, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10, !11, !12, !13, !14}
!9 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!10 = !DIEnumerator(name: "memory_order_consume", value: 1)
!11 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!12 = !DIEnumerator(name: "memory_order_release", value: 3)
!13 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!14 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!15 = !{!16, !22, !27, !0}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 30, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 144, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 18)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 30, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 104, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 13)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 30, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 120, elements: !31)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = !{!32}
!32 = !DISubrange(count: 15)
!33 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "shared", file: !3, line: 6, size: 96, elements: !34)
!34 = !{!35, !37, !40}
!35 = !DIDerivedType(tag: DW_TAG_member, name: "base", scope: !33, file: !3, line: 7, baseType: !36, size: 32)
!36 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "turn", scope: !33, file: !3, line: 8, baseType: !38, size: 32, offset: 32)
!38 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !39)
!39 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !36)
!40 = !DIDerivedType(tag: DW_TAG_member, name: "count", scope: !33, file: !3, line: 9, baseType: !36, size: 32, offset: 64)
!41 = !{i32 7, !"Dwarf Version", i32 4}
!42 = !{i32 2, !"Debug Info Version", i32 3}
!43 = !{i32 1, !"wchar_size", i32 4}
!44 = !{i32 8, !"PIC Level", i32 2}
!45 = !{i32 7, !"uwtable", i32 2}
!46 = !{i32 7, !"frame-pointer", i32 2}
!47 = !{!"clang version 22.1.8"}
!48 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 24, type: !49, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !51)
!49 = !DISubroutineType(types: !50)
!50 = !{!36}
!51 = !{}
!52 = !DILocalVariable(name: "one", scope: !48, file: !3, line: 25, type: !53)
!53 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !54, line: 27, baseType: !55)
!54 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!55 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!56 = !DILocation(line: 25, column: 15, scope: !48)
!57 = !DILocalVariable(name: "two", scope: !48, file: !3, line: 25, type: !53)
!58 = !DILocation(line: 25, column: 20, scope: !48)
!59 = !DILocation(line: 26, column: 5, scope: !48)
!60 = !DILocation(line: 27, column: 5, scope: !48)
!61 = !DILocation(line: 28, column: 18, scope: !48)
!62 = !DILocation(line: 28, column: 5, scope: !48)
!63 = !DILocation(line: 29, column: 18, scope: !48)
!64 = !DILocation(line: 29, column: 5, scope: !48)
!65 = !DILocation(line: 30, column: 19, scope: !66)
!66 = distinct !DILexicalBlock(scope: !67, file: !3, line: 30, column: 12)
!67 = distinct !DILexicalBlock(scope: !48, file: !3, line: 30, column: 5)
!68 = !DILocation(line: 30, column: 25, scope: !66)
!69 = !DILocation(line: 30, column: 5, scope: !66)
!70 = !DILocation(line: 31, column: 1, scope: !48)
!71 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 12, type: !72, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!72 = !DISubroutineType(types: !73)
!73 = !{!74, !74}
!74 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!75 = !DILocalVariable(name: "argument", arg: 1, scope: !71, file: !3, line: 12, type: !74)
!76 = !DILocation(line: 12, column: 27, scope: !71)
!77 = !DILocation(line: 13, column: 5, scope: !71)
!78 = !DILocalVariable(name: "own", scope: !79, file: !3, line: 14, type: !82)
!79 = distinct !DILexicalBlock(scope: !80, file: !3, line: 13, column: 14)
!80 = distinct !DILexicalBlock(scope: !81, file: !3, line: 13, column: 5)
!81 = distinct !DILexicalBlock(scope: !71, file: !3, line: 13, column: 5)
!82 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !33, size: 64)
!83 = !DILocation(line: 14, column: 24, scope: !79)
!84 = !DILocation(line: 14, column: 30, scope: !79)
!85 = !DILocalVariable(name: "turn", scope: !79, file: !3, line: 15, type: !86)
!86 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !38, size: 64)
!87 = !DILocation(line: 15, column: 21, scope: !79)
!88 = !DILocation(line: 15, column: 29, scope: !79)
!89 = !DILocation(line: 15, column: 34, scope: !79)
!90 = !DILocation(line: 16, column: 38, scope: !91)
!91 = distinct !DILexicalBlock(scope: !79, file: !3, line: 16, column: 13)
!92 = !DILocation(line: 16, column: 13, scope: !91)
!93 = !DILocation(line: 16, column: 72, scope: !91)
!94 = !DILocation(line: 16, column: 77, scope: !91)
!95 = !DILocation(line: 16, column: 69, scope: !91)
!96 = !DILocation(line: 17, column: 13, scope: !91)
!97 = !DILocation(line: 13, column: 5, scope: !80)
!98 = distinct !{!98, !99, !100}
!99 = !DILocation(line: 13, column: 5, scope: !81)
!100 = !DILocation(line: 18, column: 5, scope: !81)
!101 = !DILocation(line: 19, column: 17, scope: !71)
!102 = !DILocation(line: 20, column: 5, scope: !71)
!103 = !DILocation(line: 21, column: 5, scope: !71)
