target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@own = global i32 0, align 4, !dbg !0
@.str = private unnamed_addr constant [10 x i8] c"seen <= 2\00", align 1, !dbg !5
@.str.1 = private unnamed_addr constant [13 x i8] c"not_joined.c\00", align 1, !dbg !11
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !16

define i32 @main() !dbg !30 {
  %1 = alloca i64, align 8
  %2 = alloca i32, align 4
    #dbg_declare(ptr %1, !34, !DIExpression(), !38)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !39
    #dbg_declare(ptr %2, !40, !DIExpression(), !41)
  %4 = load i32, ptr @own, align 4, !dbg !42
  store i32 %4, ptr %2, align 4, !dbg !41
  %5 = load i32, ptr %2, align 4, !dbg !43
  %6 = icmp sle i32 %5, 2, !dbg !46
  br i1 %6, label %7, label %8, !dbg !46

7:                                                ; preds = %0
  br label %9, !dbg !46

8:                                                ; preds = %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 18, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !47
  unreachable, !dbg !47

9:                                                ; preds = %7
  %10 = load i64, ptr %1, align 8, !dbg !48
  %11 = call i32 @pthread_join(i64 noundef %10, ptr noundef null), !dbg !49
  ret i32 0, !dbg !50
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !51 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !55, !DIExpression(), !56)
  store i32 1, ptr @own, align 4, !dbg !57
  %3 = load i32, ptr @own, align 4, !dbg !58
  %4 = add nsw i32 %3, 1, !dbg !58
  store i32 %4, ptr @own, align 4, !dbg !58
  %5 = load ptr, ptr %2, align 8, !dbg !59
  ret ptr %5, !dbg !60
}

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

declare i32 @pthread_join(i64 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!23, !24, !25, !26, !27, !28}
!llvm.ident = !{!29}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "own", scope: !2, file: !3, line: 6, type: !22, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "not_joined.c", directory: ".")
!4 = !{!5, !11, !16, !0}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !7, isLocal: true, isDefinition: true)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 80, elements: !9)
!8 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!9 = !{!10}
!10 = !DISubrange(count: 10)
!11 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!12 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !13, isLocal: true, isDefinition: true)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 104, elements: !14)
!14 = !{!15}
!15 = !DISubrange(count: 13)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 120, elements: !20)
!19 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!20 = !{!21}
!21 = !DISubrange(count: 15)
!22 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!23 = !{i32 7, !"Dwarf Version", i32 4}
!24 = !{i32 2, !"Debug Info Version", i32 3}
!25 = !{i32 1, !"wchar_size", i32 4}
!26 = !{i32 8, !"PIC Level", i32 2}
!27 = !{i32 7, !"uwtable", i32 2}
!28 = !{i32 7, !"frame-pointer", i32 2}
!29 = !{!"clang version 22.1.8"}
!30 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !31, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !33)
!31 = !DISubroutineType(types: !32)
!32 = !{!22}
!33 = !{}
!34 = !DILocalVariable(name: "thread", scope: !30, file: !3, line: 15, type: !35)
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !36, line: 27, baseType: !37)
!36 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!37 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!38 = !DILocation(line: 15, column: 15, scope: !30)
!39 = !DILocation(line: 16, column: 5, scope: !30)
!40 = !DILocalVariable(name: "seen", scope: !30, file: !3, line: 17, type: !22)
!41 = !DILocation(line: 17, column: 9, scope: !30)
!42 = !DILocation(line: 17, column: 16, scope: !30)
!43 = !DILocation(line: 18, column: 12, scope: !44)
!44 = distinct !DILexicalBlock(scope: !45, file: !3, line: 18, column: 12)
!45 = distinct !DILexicalBlock(scope: !30, file: !3, line: 18, column: 5)
!46 = !DILocation(line: 18, column: 17, scope: !44)
!47 = !DILocation(line: 18, column: 5, scope: !44)
!48 = !DILocation(line: 19, column: 18, scope: !30)
!49 = !DILocation(line: 19, column: 5, scope: !30)
!50 = !DILocation(line: 20, column: 1, scope: !30)
!51 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 8, type: !52, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !33)
!52 = !DISubroutineType(types: !53)
!53 = !{!54, !54}
!54 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!55 = !DILocalVariable(name: "unused", arg: 1, scope: !51, file: !3, line: 8, type: !54)
!56 = !DILocation(line: 8, column: 27, scope: !51)
!57 = !DILocation(line: 9, column: 9, scope: !51)
!58 = !DILocation(line: 10, column: 8, scope: !51)
!59 = !DILocation(line: 11, column: 12, scope: !51)
!60 = !DILocation(line: 11, column: 5, scope: !51)
