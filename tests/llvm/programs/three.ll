target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.three = type { i16, i16, i16 }

@number = global i32 0, align 4, !dbg !0
@.str = private unnamed_addr constant [65 x i8] c"found.b == 6 && found.c == -7 && (found.a == 0 || found.a == -3)\00", align 1, !dbg !18
@.str.1 = private unnamed_addr constant [8 x i8] c"three.c\00", align 1, !dbg !24
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !29

define i48 @more(i48 %0) !dbg !45 {
  %2 = alloca %struct.three, align 2
  %3 = alloca %struct.three, align 2
  %4 = alloca i48, align 8
  store i48 %0, ptr %3, align 2
    #dbg_declare(ptr %3, !54, !DIExpression(), !55)
  %5 = getelementptr inbounds nuw %struct.three, ptr %3, i32 0, i32 1, !dbg !56
  %6 = load i16, ptr %5, align 2, !dbg !57
  %7 = sext i16 %6 to i32, !dbg !57
  %8 = add nsw i32 %7, 1, !dbg !57
  %9 = trunc i32 %8 to i16, !dbg !57
  store i16 %9, ptr %5, align 2, !dbg !57
  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %2, ptr align 2 %3, i64 6, i1 false), !dbg !58
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %4, ptr align 2 %2, i64 6, i1 false), !dbg !59
  %10 = load i48, ptr %4, align 8, !dbg !59
  ret i48 %10, !dbg !59
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

define ptr @run(ptr noundef %0) !dbg !60 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !64, !DIExpression(), !65)
  store i32 -3, ptr %3, align 4, !dbg !66
  %4 = load i32, ptr %3, align 4, !dbg !66
  store atomic i32 %4, ptr @number monotonic, align 4, !dbg !66
  %5 = load ptr, ptr %2, align 8, !dbg !67
  ret ptr %5, !dbg !68
}

define i32 @main() !dbg !69 {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i16, align 2
  %4 = alloca i32, align 4
  %5 = alloca %struct.three, align 2
  %6 = alloca %struct.three, align 2
  %7 = alloca i48, align 8
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !72, !DIExpression(), !76)
  %8 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @run, ptr noundef null), !dbg !77
    #dbg_declare(ptr %3, !78, !DIExpression(), !79)
  %9 = load atomic i32, ptr @number monotonic, align 4, !dbg !80
  store i32 %9, ptr %4, align 4, !dbg !80
  %10 = load i32, ptr %4, align 4, !dbg !80
  %11 = trunc i32 %10 to i16, !dbg !81
  store i16 %11, ptr %3, align 2, !dbg !79
    #dbg_declare(ptr %5, !82, !DIExpression(), !83)
  %12 = getelementptr inbounds nuw %struct.three, ptr %6, i32 0, i32 0, !dbg !84
  %13 = load i16, ptr %3, align 2, !dbg !85
  store i16 %13, ptr %12, align 2, !dbg !84
  %14 = getelementptr inbounds nuw %struct.three, ptr %6, i32 0, i32 1, !dbg !84
  store i16 5, ptr %14, align 2, !dbg !84
  %15 = getelementptr inbounds nuw %struct.three, ptr %6, i32 0, i32 2, !dbg !84
  store i16 -7, ptr %15, align 2, !dbg !84
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %7, ptr align 2 %6, i64 6, i1 false), !dbg !86
  %16 = load i48, ptr %7, align 8, !dbg !86
  %17 = call i48 @more(i48 %16), !dbg !86
  store i48 %17, ptr %5, align 2, !dbg !86
  %18 = getelementptr inbounds nuw %struct.three, ptr %5, i32 0, i32 1, !dbg !87
  %19 = load i16, ptr %18, align 2, !dbg !87
  %20 = sext i16 %19 to i32, !dbg !90
  %21 = icmp eq i32 %20, 6, !dbg !91
  br i1 %21, label %22, label %38, !dbg !92

22:                                               ; preds = %0
  %23 = getelementptr inbounds nuw %struct.three, ptr %5, i32 0, i32 2, !dbg !93
  %24 = load i16, ptr %23, align 2, !dbg !93
  %25 = sext i16 %24 to i32, !dbg !94
  %26 = icmp eq i32 %25, -7, !dbg !95
  br i1 %26, label %27, label %38, !dbg !96

27:                                               ; preds = %22
  %28 = getelementptr inbounds nuw %struct.three, ptr %5, i32 0, i32 0, !dbg !97
  %29 = load i16, ptr %28, align 2, !dbg !97
  %30 = sext i16 %29 to i32, !dbg !98
  %31 = icmp eq i32 %30, 0, !dbg !99
  br i1 %31, label %37, label %32, !dbg !100

32:                                               ; preds = %27
  %33 = getelementptr inbounds nuw %struct.three, ptr %5, i32 0, i32 0, !dbg !101
  %34 = load i16, ptr %33, align 2, !dbg !101
  %35 = sext i16 %34 to i32, !dbg !102
  %36 = icmp eq i32 %35, -3, !dbg !103
  br i1 %36, label %37, label %38, !dbg !96

37:                                               ; preds = %32, %27
  br label %39, !dbg !96

38:                                               ; preds = %32, %22, %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 26, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !104
  unreachable, !dbg !104

39:                                               ; preds = %37
  %40 = load i64, ptr %2, align 8, !dbg !105
  %41 = call i32 @pthread_join(i64 noundef %40, ptr noundef null), !dbg !106
  ret i32 0, !dbg !107
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

declare i32 @pthread_join(i64 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!38, !39, !40, !41, !42, !43}
!llvm.ident = !{!44}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "number", scope: !2, file: !3, line: 9, type: !35, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !17, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "three.c", directory: ".")
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
!15 = !{!16}
!16 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!17 = !{!18, !24, !29, !0}
!18 = !DIGlobalVariableExpression(var: !19, expr: !DIExpression())
!19 = distinct !DIGlobalVariable(scope: null, file: !3, line: 26, type: !20, isLocal: true, isDefinition: true)
!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !21, size: 520, elements: !22)
!21 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!22 = !{!23}
!23 = !DISubrange(count: 65)
!24 = !DIGlobalVariableExpression(var: !25, expr: !DIExpression())
!25 = distinct !DIGlobalVariable(scope: null, file: !3, line: 26, type: !26, isLocal: true, isDefinition: true)
!26 = !DICompositeType(tag: DW_TAG_array_type, baseType: !21, size: 64, elements: !27)
!27 = !{!28}
!28 = !DISubrange(count: 8)
!29 = !DIGlobalVariableExpression(var: !30, expr: !DIExpression())
!30 = distinct !DIGlobalVariable(scope: null, file: !3, line: 26, type: !31, isLocal: true, isDefinition: true)
!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !32, size: 120, elements: !33)
!32 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !21)
!33 = !{!34}
!34 = !DISubrange(count: 15)
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !36)
!36 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !37)
!37 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!38 = !{i32 7, !"Dwarf Version", i32 4}
!39 = !{i32 2, !"Debug Info Version", i32 3}
!40 = !{i32 1, !"wchar_size", i32 4}
!41 = !{i32 8, !"PIC Level", i32 2}
!42 = !{i32 7, !"uwtable", i32 2}
!43 = !{i32 7, !"frame-pointer", i32 2}
!44 = !{!"clang version 22.1.8"}
!45 = distinct !DISubprogram(name: "more", scope: !3, file: !3, line: 11, type: !46, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !53)
!46 = !DISubroutineType(types: !47)
!47 = !{!48, !48}
!48 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "three", file: !3, line: 5, size: 48, elements: !49)
!49 = !{!50, !51, !52}
!50 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !48, file: !3, line: 6, baseType: !16, size: 16)
!51 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !48, file: !3, line: 6, baseType: !16, size: 16, offset: 16)
!52 = !DIDerivedType(tag: DW_TAG_member, name: "c", scope: !48, file: !3, line: 6, baseType: !16, size: 16, offset: 32)
!53 = !{}
!54 = !DILocalVariable(name: "t", arg: 1, scope: !45, file: !3, line: 11, type: !48)
!55 = !DILocation(line: 11, column: 32, scope: !45)
!56 = !DILocation(line: 12, column: 7, scope: !45)
!57 = !DILocation(line: 12, column: 9, scope: !45)
!58 = !DILocation(line: 13, column: 12, scope: !45)
!59 = !DILocation(line: 13, column: 5, scope: !45)
!60 = distinct !DISubprogram(name: "run", scope: !3, file: !3, line: 16, type: !61, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !53)
!61 = !DISubroutineType(types: !62)
!62 = !{!63, !63}
!63 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!64 = !DILocalVariable(name: "argument", arg: 1, scope: !60, file: !3, line: 16, type: !63)
!65 = !DILocation(line: 16, column: 17, scope: !60)
!66 = !DILocation(line: 17, column: 5, scope: !60)
!67 = !DILocation(line: 18, column: 12, scope: !60)
!68 = !DILocation(line: 18, column: 5, scope: !60)
!69 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 21, type: !70, scopeLine: 21, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !53)
!70 = !DISubroutineType(types: !71)
!71 = !{!37}
!72 = !DILocalVariable(name: "thread", scope: !69, file: !3, line: 22, type: !73)
!73 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !74, line: 27, baseType: !75)
!74 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!75 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!76 = !DILocation(line: 22, column: 15, scope: !69)
!77 = !DILocation(line: 23, column: 5, scope: !69)
!78 = !DILocalVariable(name: "a", scope: !69, file: !3, line: 24, type: !16)
!79 = !DILocation(line: 24, column: 11, scope: !69)
!80 = !DILocation(line: 24, column: 22, scope: !69)
!81 = !DILocation(line: 24, column: 15, scope: !69)
!82 = !DILocalVariable(name: "found", scope: !69, file: !3, line: 25, type: !48)
!83 = !DILocation(line: 25, column: 18, scope: !69)
!84 = !DILocation(line: 25, column: 45, scope: !69)
!85 = !DILocation(line: 25, column: 46, scope: !69)
!86 = !DILocation(line: 25, column: 26, scope: !69)
!87 = !DILocation(line: 26, column: 18, scope: !88)
!88 = distinct !DILexicalBlock(scope: !89, file: !3, line: 26, column: 12)
!89 = distinct !DILexicalBlock(scope: !69, file: !3, line: 26, column: 5)
!90 = !DILocation(line: 26, column: 12, scope: !88)
!91 = !DILocation(line: 26, column: 20, scope: !88)
!92 = !DILocation(line: 26, column: 25, scope: !88)
!93 = !DILocation(line: 26, column: 34, scope: !88)
!94 = !DILocation(line: 26, column: 28, scope: !88)
!95 = !DILocation(line: 26, column: 36, scope: !88)
!96 = !DILocation(line: 26, column: 42, scope: !88)
!97 = !DILocation(line: 26, column: 52, scope: !88)
!98 = !DILocation(line: 26, column: 46, scope: !88)
!99 = !DILocation(line: 26, column: 54, scope: !88)
!100 = !DILocation(line: 26, column: 59, scope: !88)
!101 = !DILocation(line: 26, column: 68, scope: !88)
!102 = !DILocation(line: 26, column: 62, scope: !88)
!103 = !DILocation(line: 26, column: 70, scope: !88)
!104 = !DILocation(line: 26, column: 5, scope: !88)
!105 = !DILocation(line: 27, column: 18, scope: !69)
!106 = !DILocation(line: 27, column: 5, scope: !69)
!107 = !DILocation(line: 28, column: 5, scope: !69)
