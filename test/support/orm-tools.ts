// Object-relational mappers, as scripts/orm-tools.sh has installed them.
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

/** Runs a file of an installed package, or the text of a CommonJS script, with Node; gives everything it printed. */
export function runOrmTool(args: readonly string[]): Promise<{ code: number; printed: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args],
      {
        cwd: FOLDER,
        // Files of a test find the installed packages.
        env: { ...process.env, NO_COLOR: '1', NODE_PATH: join(FOLDER, 'node_modules') },
      },
      (error, out, err) => {
        const code = typeof error?.code === 'number' ? error.code : 0
        resolve({ code, printed: `${out}${err}` })
      },
    )
  })
}
