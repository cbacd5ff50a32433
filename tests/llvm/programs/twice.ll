target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @main() !dbg !9 {
  %1 = alloca i64, align 8
    #dbg_declare(ptr %1, !14, !DIExpression(), !18)
  %2 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !19
  %3 = load i64, ptr %1, align 8, !dbg !20
  %4 = call i32 @pthread_join(i64 noundef %3, ptr noundef null), !dbg !21
  %5 = load i64, ptr %1, align 8, !dbg !22
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !23
  ret i32 0, !dbg !24
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !25 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !29, !DIExpression(), !30)
  %3 = load ptr, ptr %2, align 8, !dbg !31
  ret ptr %3, !dbg !32
}

declare i32 @pthread_join(i64 noundef, ptr noundef)


!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "twice.c", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"clang version 22.1.8"}
!9 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 5, type: !10, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !13)
!10 = !DISubroutineType(types: !11)
!11 = !{!12}
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !{}
!14 = !DILocalVariable(name: "thread", scope: !9, file: !1, line: 6, type: !15)
!15 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !16, line: 27, baseType: !17)
!16 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!17 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!18 = !DILocation(line: 6, column: 15, scope: !9)
!19 = !DILocation(line: 7, column: 5, scope: !9)
!20 = !DILocation(line: 8, column: 18, scope: !9)
!21 = !DILocation(line: 8, column: 5, scope: !9)
!22 = !DILocation(line: 9, column: 18, scope: !9)
!23 = !DILocation(line: 9, column: 5, scope: !9)
!24 = !DILocation(line: 10, column: 1, scope: !9)
!25 = distinct !DISubprogram(name: "worker", scope: !1, file: !1, line: 3, type: !26, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0, retainedNodes: !13)
!26 = !DISubroutineType(types: !27)
!27 = !{!28, !28}
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!29 = !DILocalVariable(name: "unused", arg: 1, scope: !25, file: !1, line: 3, type: !28)
!30 = !DILocation(line: 3, column: 27, scope: !25)
!31 = !DILocation(line: 3, column: 44, scope: !25)
!32 = !DILocation(line: 3, column: 37, scope: !25)
