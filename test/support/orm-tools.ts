// Runs object-relational mappers that scripts/orm-tools.sh has installed.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../emulator/core/package-files.ts'

const FOLDER = packageFile('.cache', 'orm-tools')

export const HAS_ORM_TOOLS = ['drizzle-kit', 'sequelize', 'pg'].every((name) =>
  existsSync(join(FOLDER, 'node_modules', name)),
)

/** A part of the title of skipped tests. */
export const ORM_TOOLS_HINT = HAS_ORM_TOOLS
  ? ''
  : ' (skipped: the tools are not installed; "scripts/orm-tools.sh")'

/** Runs a file of an installed package, or a CommonJS script, with Node.js. Returns the exit code and the output. */
export function runOrmTool(args: readonly string[]): Promise<{ code: number; printed: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args],
      {
        cwd: FOLDER,
        // NODE_PATH lets the files of a test import the installed packages.
        env: { ...process.env, NO_COLOR: '1', NODE_PATH: join(FOLDER, 'node_modules') },
      },
      (error, out, err) => {
        const code = typeof error?.code === 'number' ? error.code : 0
        resolve({ code, printed: `${out}${err}` })
      },
    )
  })
}
