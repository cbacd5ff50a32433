target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@limit = global i32 3, align 4, !dbg !0
@count = global i32 0, align 4, !dbg !16

define i32 @main() !dbg !28 {
  %1 = alloca i64, align 8
    #dbg_declare(ptr %1, !32, !DIExpression(), !36)
  %2 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !37
  store i32 3, ptr @limit, align 4, !dbg !38
  %3 = load i64, ptr %1, align 8, !dbg !39
  %4 = call i32 @pthread_join(i64 noundef %3, ptr noundef null), !dbg !40
  ret i32 0, !dbg !41
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !42 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !46, !DIExpression(), !47)
    #dbg_declare(ptr %3, !48, !DIExpression(), !50)
  store i32 0, ptr %3, align 4, !dbg !50
  br label %6, !dbg !51

6:                                                ; preds = %14, %1
  %7 = load i32, ptr %3, align 4, !dbg !52
  %8 = load i32, ptr @limit, align 4, !dbg !54
  %9 = icmp slt i32 %7, %8, !dbg !55
  br i1 %9, label %10, label %17, !dbg !56

10:                                               ; preds = %6
  store i32 1, ptr %4, align 4, !dbg !57
  %11 = load i32, ptr %4, align 4, !dbg !57
  %12 = atomicrmw add ptr @count, i32 %11 monotonic, align 4, !dbg !57
  store i32 %12, ptr %5, align 4, !dbg !57
  %13 = load i32, ptr %5, align 4, !dbg !57
  br label %14, !dbg !57

14:                                               ; preds = %10
  %15 = load i32, ptr %3, align 4, !dbg !58
  %16 = add nsw i32 %15, 1, !dbg !58
  store i32 %16, ptr %3, align 4, !dbg !58
  br label %6, !dbg !59, !llvm.loop !60

17:                                               ; preds = %6
  %18 = load ptr, ptr %2, align 8, !dbg !63
  ret ptr %18, !dbg !64
}

declare i32 @pthread_join(i64 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!21, !22, !23, !24, !25, !26}
!llvm.ident = !{!27}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "limit", scope: !2, file: !3, line: 6, type: !20, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "folded.c", directory: ".")
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
!15 = !{!0, !16}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "count", scope: !2, file: !3, line: 7, type: !18, isLocal: false, isDefinition: true)
!18 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !19)
!19 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !20)
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!21 = !{i32 7, !"Dwarf Version", i32 4}
!22 = !{i32 2, !"Debug Info Version", i32 3}
!23 = !{i32 1, !"wchar_size", i32 4}
!24 = !{i32 8, !"PIC Level", i32 2}
!25 = !{i32 7, !"uwtable", i32 2}
!26 = !{i32 7, !"frame-pointer", i32 2}
!27 = !{!"clang version 22.1.8"}
!28 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 15, type: !29, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !31)
!29 = !DISubroutineType(types: !30)
!30 = !{!20}
!31 = !{}
!32 = !DILocalVariable(name: "thread", scope: !28, file: !3, line: 16, type: !33)
!33 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !34, line: 27, baseType: !35)
!34 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!35 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!36 = !DILocation(line: 16, column: 15, scope: !28)
!37 = !DILocation(line: 17, column: 5, scope: !28)
!38 = !DILocation(line: 18, column: 11, scope: !28)
!39 = !DILocation(line: 19, column: 18, scope: !28)
!40 = !DILocation(line: 19, column: 5, scope: !28)
!41 = !DILocation(line: 20, column: 1, scope: !28)
!42 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 9, type: !43, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !31)
!43 = !DISubroutineType(types: !44)
!44 = !{!45, !45}
!45 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!46 = !DILocalVariable(name: "unused", arg: 1, scope: !42, file: !3, line: 9, type: !45)
!47 = !DILocation(line: 9, column: 27, scope: !42)
!48 = !DILocalVariable(name: "i", scope: !49, file: !3, line: 10, type: !20)
!49 = distinct !DILexicalBlock(scope: !42, file: !3, line: 10, column: 5)
!50 = !DILocation(line: 10, column: 14, scope: !49)
!51 = !DILocation(line: 10, column: 10, scope: !49)
!52 = !DILocation(line: 10, column: 21, scope: !53)
!53 = distinct !DILexicalBlock(scope: !49, file: !3, line: 10, column: 5)
!54 = !DILocation(line: 10, column: 25, scope: !53)
!55 = !DILocation(line: 10, column: 23, scope: !53)
!56 = !DILocation(line: 10, column: 5, scope: !49)
!57 = !DILocation(line: 11, column: 9, scope: !53)
!58 = !DILocation(line: 10, column: 33, scope: !53)
!59 = !DILocation(line: 10, column: 5, scope: !53)
!60 = distinct !{!60, !56, !61, !62}
!61 = !DILocation(line: 11, column: 66, scope: !49)
!62 = !{!"llvm.loop.mustprogress"}
!63 = !DILocation(line: 12, column: 12, scope: !42)
!64 = !DILocation(line: 12, column: 5, scope: !42)
