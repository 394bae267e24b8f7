// The second half of `npm run docs:site`: checks the built pages. Every link leads to a file and an anchor of the site, and the
// site loads nothing from another host. Ends with exit code 1 and one line for each problem.
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { missingPages } from '../docs/.vitepress/pages.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { findSiteProblems } from './docs-site-problems.ts'

const folder = packageFile('dist', 'docs-site')
const paths = globSync('**/*.*', { cwd: folder }).map((path) => path.replaceAll('\\', posix.sep))
const pages = new Map(
  paths
    .filter((path) => path.endsWith('.html'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
)
const problems = [
  ...missingPages().map((file) => `docs/.vitepress/order.json names ${file}, which does not exist`),
  ...findSiteProblems(pages, new Set(paths)),
]
process.stdout.write(
  problems.length === 0
    ? `dist/docs-site: ${pages.size} pages without a dead link\n`
    : `${problems.join('\n')}\n`,
)
if (problems.length > 0) process.exitCode = 1
