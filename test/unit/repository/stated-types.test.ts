// Exports declare their types, so that a reader sees the types without following calls. The check uses the compiler option
// `isolatedDeclarations`, one file at a time. Types of zod schemas may be inferred.
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

const FOLDERS = ['emulator', 'client', 'renderer', 'main']
// Files with inferred types: zod schemas, and the router, whose type lists every route.
const INFERRED =
  /^(?:emulator\/contract\/|emulator\/assembly\/config\.ts|emulator\/services\/control\/answers\.ts|emulator\/workflow\/fixtures\/read\/fixture-shape\.ts|main\/preferences\.ts|renderer\/app\.tsx)/

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
).filter((file) => !INFERRED.test(file))

function problemsOf(file: string, source: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      isolatedDeclarations: true,
      declaration: true,
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      jsx: ts.JsxEmit.ReactJSX,
    },
  })
  return diagnostics.map(({ messageText, start = 0 }) => {
    const line = source.slice(0, start).split('\n').length
    return `${file}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}

it('the check reports an export whose type is inferred from a call', () => {
  expect(problemsOf('a.ts', 'export const a = Math.max(1, 2)')).toHaveLength(1)
})

it('every export states its type', () => {
  expect(files.length).toBeGreaterThan(700)
  expect(files.flatMap((file) => problemsOf(file, readFileSync(file, 'utf8')))).toEqual([])
})
