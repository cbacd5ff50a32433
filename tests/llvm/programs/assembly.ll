target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@flag = global i32 0, align 4, !dbg !0
@data = global i32 0, align 4, !dbg !16
@.str = private unnamed_addr constant [10 x i8] c"data == 1\00", align 1, !dbg !19
@.str.1 = private unnamed_addr constant [11 x i8] c"assembly.c\00", align 1, !dbg !25
@__PRETTY_FUNCTION__.reader = private unnamed_addr constant [21 x i8] c"void *reader(void *)\00", align 1, !dbg !30

define i32 @main() !dbg !45 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !49, !DIExpression(), !53)
    #dbg_declare(ptr %2, !54, !DIExpression(), !55)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @writer, ptr noundef null), !dbg !56
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @reader, ptr noundef null), !dbg !57
  %5 = load i64, ptr %1, align 8, !dbg !58
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !59
  %7 = load i64, ptr %2, align 8, !dbg !60
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !61
  ret i32 0, !dbg !62
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @writer(ptr noundef %0) !dbg !63 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !67, !DIExpression(), !68)
    #dbg_declare(ptr %3, !69, !DIExpression(), !70)
  store i32 1, ptr %3, align 4, !dbg !70
  %5 = load i32, ptr %3, align 4, !dbg !71
  %6 = call i32 asm "", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %5), !dbg !71, !srcloc !72
  store i32 %6, ptr %3, align 4, !dbg !71
  %7 = load i32, ptr %3, align 4, !dbg !73
  store i32 %7, ptr @data, align 4, !dbg !74
  %8 = load i32, ptr %3, align 4, !dbg !75
  store i32 %8, ptr %4, align 4, !dbg !76
  %9 = load i32, ptr %4, align 4, !dbg !76
  store atomic i32 %9, ptr @flag release, align 4, !dbg !76
  %10 = load ptr, ptr %2, align 8, !dbg !77
  ret ptr %10, !dbg !78
}

define internal ptr @reader(ptr noundef %0) !dbg !79 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !80, !DIExpression(), !81)
  call void asm sideeffect "pause", "~{memory},~{dirflag},~{fpsr},~{flags}"(), !dbg !82, !srcloc !83
  %4 = load atomic i32, ptr @flag acquire, align 4, !dbg !84
  store i32 %4, ptr %3, align 4, !dbg !84
  %5 = load i32, ptr %3, align 4, !dbg !84
  %6 = icmp eq i32 %5, 1, !dbg !86
  br i1 %6, label %7, label %13, !dbg !86

7:                                                ; preds = %1
  %8 = load i32, ptr @data, align 4, !dbg !87
  %9 = icmp eq i32 %8, 1, !dbg !90
  br i1 %9, label %10, label %11, !dbg !90

10:                                               ; preds = %7
  br label %12, !dbg !90

11:                                               ; preds = %7
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 20, ptr noundef @__PRETTY_FUNCTION__.reader), !dbg !91
  unreachable, !dbg !91

12:                                               ; preds = %10
  br label %13, !dbg !92

13:                                               ; preds = %12, %1
  %14 = load ptr, ptr %2, align 8, !dbg !93
  ret ptr %14, !dbg !94
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!38, !39, !40, !41, !42, !43}
!llvm.ident = !{!44}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "flag", scope: !2, file: !3, line: 6, type: !36, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "assembly.c", directory: ".")
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
!15 = !{!0, !16, !19, !25, !30}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "data", scope: !2, file: !3, line: 7, type: !18, isLocal: false, isDefinition: true)
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !21, isLocal: true, isDefinition: true)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 80, elements: !23)
!22 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!23 = !{!24}
!24 = !DISubrange(count: 10)
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !27, isLocal: true, isDefinition: true)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 88, elements: !28)
!28 = !{!29}
!29 = !DISubrange(count: 11)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !32, isLocal: true, isDefinition: true)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !33, size: 168, elements: !34)
!33 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !22)
!34 = !{!35}
!35 = !DISubrange(count: 21)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !37)
!37 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !18)
!38 = !{i32 7, !"Dwarf Version", i32 4}
!39 = !{i32 2, !"Debug Info Version", i32 3}
!40 = !{i32 1, !"wchar_size", i32 4}
!41 = !{i32 8, !"PIC Level", i32 2}
!42 = !{i32 7, !"uwtable", i32 2}
!43 = !{i32 7, !"frame-pointer", i32 2}
!44 = !{!"clang version 22.1.8"}
!45 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 24, type: !46, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !48)
!46 = !DISubroutineType(types: !47)
!47 = !{!18}
!48 = !{}
!49 = !DILocalVariable(name: "one", scope: !45, file: !3, line: 25, type: !50)
!50 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !51, line: 27, baseType: !52)
!51 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!52 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!53 = !DILocation(line: 25, column: 15, scope: !45)
!54 = !DILocalVariable(name: "two", scope: !45, file: !3, line: 25, type: !50)
!55 = !DILocation(line: 25, column: 20, scope: !45)
!56 = !DILocation(line: 26, column: 5, scope: !45)
!57 = !DILocation(line: 27, column: 5, scope: !45)
!58 = !DILocation(line: 28, column: 18, scope: !45)
!59 = !DILocation(line: 28, column: 5, scope: !45)
!60 = !DILocation(line: 29, column: 18, scope: !45)
!61 = !DILocation(line: 29, column: 5, scope: !45)
!62 = !DILocation(line: 30, column: 1, scope: !45)
!63 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 9, type: !64, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!64 = !DISubroutineType(types: !65)
!65 = !{!66, !66}
!66 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!67 = !DILocalVariable(name: "unused", arg: 1, scope: !63, file: !3, line: 9, type: !66)
!68 = !DILocation(line: 9, column: 27, scope: !63)
!69 = !DILocalVariable(name: "one", scope: !63, file: !3, line: 10, type: !18)
!70 = !DILocation(line: 10, column: 9, scope: !63)
!71 = !DILocation(line: 11, column: 5, scope: !63)
!72 = !{i64 180}
!73 = !DILocation(line: 12, column: 12, scope: !63)
!74 = !DILocation(line: 12, column: 10, scope: !63)
!75 = !DILocation(line: 13, column: 34, scope: !63)
!76 = !DILocation(line: 13, column: 5, scope: !63)
!77 = !DILocation(line: 14, column: 12, scope: !63)
!78 = !DILocation(line: 14, column: 5, scope: !63)
!79 = distinct !DISubprogram(name: "reader", scope: !3, file: !3, line: 17, type: !64, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!80 = !DILocalVariable(name: "unused", arg: 1, scope: !79, file: !3, line: 17, type: !66)
!81 = !DILocation(line: 17, column: 27, scope: !79)
!82 = !DILocation(line: 18, column: 5, scope: !79)
!83 = !{i64 353}
!84 = !DILocation(line: 19, column: 9, scope: !85)
!85 = distinct !DILexicalBlock(scope: !79, file: !3, line: 19, column: 9)
!86 = !DILocation(line: 19, column: 59, scope: !85)
!87 = !DILocation(line: 20, column: 16, scope: !88)
!88 = distinct !DILexicalBlock(scope: !89, file: !3, line: 20, column: 16)
!89 = distinct !DILexicalBlock(scope: !85, file: !3, line: 20, column: 9)
!90 = !DILocation(line: 20, column: 21, scope: !88)
!91 = !DILocation(line: 20, column: 9, scope: !88)
!92 = !DILocation(line: 20, column: 9, scope: !85)
!93 = !DILocation(line: 21, column: 12, scope: !79)
!94 = !DILocation(line: 21, column: 5, scope: !79)
