// `npm run build:types`, run before packing: writes the declarations of the public entries into dist/types. The declarations
// import only packages that the published package installs. Types made of zod schemas are written out. The declarations of the
// data and storage clients are copied.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { packageFile } from '../emulator/core/package-files.ts'
import { docstringOf } from './public-api.ts'

const OUT = packageFile('dist/types')
const NODE_ENTRIES = [
  'emulator/index.ts',
  'emulator/assembly/testing/vitest.ts',
  'emulator/assembly/testing/vitest-setup.ts',
  'emulator/assembly/doors/node-test/node-test.ts',
  'emulator/assembly/doors/playwright/playwright.ts',
  'emulator/assembly/doors/vite/vite.ts',
]
/** Packages whose declarations are copied, with the file that contains all of them. */
const COPIED: Readonly<Record<string, string>> = {
  '@supabase/postgrest-js': 'dist/index.d.mts',
  '@supabase/storage-js': 'dist/index.d.mts',
  'iceberg-js': 'dist/index.d.ts',
}

/** Matches types made from a schema, or from the values of a schema's members. */
const SCHEMA = /\bz\.|\btypeof\b/

const declarations = new Map([
  ...declarationsOf('tsconfig.emulator.json', [
    ...NODE_ENTRIES,
    'emulator/database/embedded/web-assembly.d.ts',
  ]),
  ...declarationsOf('tsconfig.client.json', ['client/index.ts']),
  ...Object.entries(COPIED).map(([name, file]) => copiedDeclaration(name, file)),
])
rmSync(OUT, { recursive: true, force: true })
for (const entry of [...NODE_ENTRIES, 'client/index.ts']) writeReachable(declarationPath(entry))

/** Writes a declaration and the declarations that it imports, each once. */
function writeReachable(path: string): void {
  const text = declarations.get(path)
  if (text === undefined) return
  declarations.delete(path)
  const local = text.replaceAll(
    /(from |import\()(['"])([^'"]+)\2/g,
    (whole, keyword, _quote, name) => {
      const target =
        name in COPIED ? copiedPath(name) : resolve(dirname(path), declarationName(name))
      if (name.startsWith('.') || name in COPIED) writeReachable(target)
      return name in COPIED ? `${keyword}'${specifier(path, target)}'` : whole
    },
  )
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, local)
}

function declarationsOf(config: string, files: readonly string[]): Map<string, string> {
  const program = ts.createProgram(
    files.map((file) => packageFile(file)),
    {
      ...compilerOptions(config),
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: OUT,
      rootDir: packageFile(),
    },
  )
  const emitted = new Map<string, string>()
  program.emit(undefined, (path, text, _mark, _error, sources = []) => {
    const [source] = sources
    emitted.set(path, source === undefined ? text : withoutZod(program, source, text))
  })
  return emitted
}

function compilerOptions(config: string): ts.CompilerOptions {
  const path = packageFile(config)
  const { config: json } = ts.readConfigFile(path, ts.sys.readFile)
  return ts.parseJsonConfigFileContent(json, ts.sys, dirname(path)).options
}

/** Replaces types made from schemas with plain types. Removes the schemas, including members of interfaces. */
function withoutZod(program: ts.Program, source: ts.SourceFile, text: string): string {
  if (!text.includes("from 'zod'")) return text
  const emitted = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true)
  const checker = program.getTypeChecker()
  const statements = emitted.statements.map((statement) => {
    if (ts.isImportDeclaration(statement) || !SCHEMA.test(statement.getText()))
      return statement.getFullText()
    if (ts.isInterfaceDeclaration(statement)) return withoutSchemaMembers(statement)
    if (!ts.isTypeAliasDeclaration(statement)) return ''
    const original = source.statements.find(
      (one): one is ts.TypeAliasDeclaration =>
        ts.isTypeAliasDeclaration(one) && one.name.text === statement.name.text,
    )
    if (original === undefined) throw new Error(`${source.fileName} lacks ${statement.name.text}`)
    const head = statement
      .getFullText()
      .slice(0, statement.type.getFullStart() - statement.getFullStart())
    return `${head} ${writtenOut(checker, original)};`
  })
  const jsonValue = `import('${specifier(source.fileName, packageFile('emulator/core/json.ts'))}').JsonValue`
  return withoutUnusedImports(statements.join('').replaceAll('z.core.util.JSONType', jsonValue))
}

function withoutSchemaMembers(statement: ts.InterfaceDeclaration): string {
  const schemas = statement.members.filter((member) => SCHEMA.test(member.getText()))
  return schemas.reduce(
    (text, member) => text.replace(member.getFullText(), ''),
    statement.getFullText(),
  )
}

function withoutUnusedImports(text: string): string {
  const imports = /^import (?:type )?\{ ([^}]*) \} from [^\n]*\n/gm
  const body = text.replaceAll(imports, '')
  return text.replaceAll(imports, (whole, names: string) =>
    names.split(', ').some((name) => new RegExp(`\\b${name.replace('type ', '')}\\b`).test(body))
      ? whole
      : '',
  )
}

/** Lists the members of a type, with the comments of its schema. */
function writtenOut(checker: ts.TypeChecker, alias: ts.TypeAliasDeclaration): string {
  const type = checker.getTypeAtLocation(alias.name)
  const flags =
    ts.NodeBuilderFlags.NoTruncation |
    ts.NodeBuilderFlags.InTypeAlias |
    ts.NodeBuilderFlags.MultilineObjectLiterals
  const node = checker.typeToTypeNode(type, alias, flags)
  if (node === undefined) throw new Error(`${alias.name.text} cannot be written out`)
  if (ts.isTypeLiteralNode(node))
    for (const member of node.members) {
      const name = member.name !== undefined && ts.isIdentifier(member.name) ? member.name.text : ''
      const property = type.getProperty(name)
      const comment = property === undefined ? '' : docstringOf(checker, property).text
      if (comment !== '')
        ts.addSyntheticLeadingComment(
          member,
          ts.SyntaxKind.MultiLineCommentTrivia,
          `* ${comment} `,
          true,
        )
    }
  return ts.createPrinter().printNode(ts.EmitHint.Unspecified, node, alias.getSourceFile())
}

function copiedDeclaration(name: string, file: string): readonly [path: string, text: string] {
  const text = readFileSync(packageFile('node_modules', name, file), 'utf8')
  return [copiedPath(name), text.replace(/^\/\/# sourceMappingURL=.*$/m, '')]
}

function copiedPath(name: string): string {
  return join(OUT, 'packages', `${name.split('/').at(-1)}.d.ts`)
}

function declarationPath(source: string): string {
  return join(OUT, declarationName(source))
}

function declarationName(name: string): string {
  return name.replace(/(\.d)?\.ts$/, '.d.ts')
}

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/\.d\.ts$/, '.ts')
  return path.startsWith('.') ? path : `./${path}`
}
