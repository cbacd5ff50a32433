target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @main() !dbg !12 {
  %1 = alloca i64, align 8
    #dbg_declare(ptr %1, !16, !DIExpression(), !20)
  %2 = call i64 @started(), !dbg !21
  store i64 %2, ptr %1, align 8, !dbg !20
  %3 = load i64, ptr %1, align 8, !dbg !22
  %4 = call i32 @pthread_join(i64 noundef %3, ptr noundef null), !dbg !23
  ret i32 0, !dbg !24
}

define internal i64 @started() !dbg !25 {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !28, !DIExpression(), !29)
  store i32 0, ptr %1, align 4, !dbg !29
    #dbg_declare(ptr %2, !30, !DIExpression(), !31)
  %3 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @worker, ptr noundef %1), !dbg !32
  %4 = load i64, ptr %2, align 8, !dbg !33
  ret i64 %4, !dbg !34
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !35 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !39, !DIExpression(), !40)
  %3 = load ptr, ptr %2, align 8, !dbg !41
  store i32 1, ptr %3, align 4, !dbg !42
  ret ptr null, !dbg !43
}


!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5, !6, !7, !8, !9, !10}
!llvm.ident = !{!11}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "ended.c", directory: ".")
!2 = !{!3}
!3 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !{i32 7, !"Dwarf Version", i32 4}
!6 = !{i32 2, !"Debug Info Version", i32 3}
!7 = !{i32 1, !"wchar_size", i32 4}
!8 = !{i32 8, !"PIC Level", i32 2}
!9 = !{i32 7, !"uwtable", i32 2}
!10 = !{i32 7, !"frame-pointer", i32 2}
!11 = !{!"clang version 22.1.8"}
!12 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 18, type: !13, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !15)
!13 = !DISubroutineType(types: !14)
!14 = !{!4}
!15 = !{}
!16 = !DILocalVariable(name: "thread", scope: !12, file: !1, line: 19, type: !17)
!17 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !18, line: 27, baseType: !19)
!18 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!19 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!20 = !DILocation(line: 19, column: 15, scope: !12)
!21 = !DILocation(line: 19, column: 24, scope: !12)
!22 = !DILocation(line: 20, column: 18, scope: !12)
!23 = !DILocation(line: 20, column: 5, scope: !12)
!24 = !DILocation(line: 21, column: 1, scope: !12)
!25 = distinct !DISubprogram(name: "started", scope: !1, file: !1, line: 11, type: !26, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0, retainedNodes: !15)
!26 = !DISubroutineType(types: !27)
!27 = !{!17}
!28 = !DILocalVariable(name: "local", scope: !25, file: !1, line: 12, type: !4)
!29 = !DILocation(line: 12, column: 9, scope: !25)
!30 = !DILocalVariable(name: "thread", scope: !25, file: !1, line: 13, type: !17)
!31 = !DILocation(line: 13, column: 15, scope: !25)
!32 = !DILocation(line: 14, column: 5, scope: !25)
!33 = !DILocation(line: 15, column: 12, scope: !25)
!34 = !DILocation(line: 15, column: 5, scope: !25)
!35 = distinct !DISubprogram(name: "worker", scope: !1, file: !1, line: 6, type: !36, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0, retainedNodes: !15)
!36 = !DISubroutineType(types: !37)
!37 = !{!38, !38}
!38 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!39 = !DILocalVariable(name: "argument", arg: 1, scope: !35, file: !1, line: 6, type: !38)
!40 = !DILocation(line: 6, column: 27, scope: !35)
!41 = !DILocation(line: 7, column: 13, scope: !35)
!42 = !DILocation(line: 7, column: 22, scope: !35)
!43 = !DILocation(line: 8, column: 5, scope: !35)
