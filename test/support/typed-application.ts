// Makes a folder with a TypeScript application, and compiles and runs it as developers do.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'es2024',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  allowImportingTsExtensions: true,
  paths: { 'tenantry/client': [resolve('client/index.ts')] },
}

export interface TypedApplication extends Disposable {
  /** Compiles all files together. Returns what the compiler prints, which is empty when it accepts them. */
  compile(): Promise<string>
  /** Runs a file with Node. Returns what it prints. */
  run(file: string, ...args: readonly string[]): Promise<string>
}

/** @param options the compiler's options that differ from those of an ordinary application */
export function typedApplication(
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>> = {},
): TypedApplication {
  const root = mkdtempSync(join(tmpdir(), 'tenantry-typed-'))
  const folder = join(root, 'app')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/tenantry'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const config = { compilerOptions: { ...OPTIONS, ...options }, files: Object.keys(files) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const node = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
    return stdout
  }
  return {
    compile: () =>
      node(resolve('node_modules/typescript/bin/tsc')).catch((error: unknown) =>
        error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error),
      ),
    run: (file, ...args) => node(join(folder, file), ...args),
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}
