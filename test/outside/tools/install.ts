// Installs outside tools into a separate folder. npm installs npm packages; Debian packages are unpacked without root privileges.
// Neither the system nor this repository changes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'
import type { OutsideTool } from './tool.ts'

/** The version of an installed tool, or a message why the tool can't be installed. */
export type Installed = { readonly version: string } | { readonly skipped: string }

/** @param folder an empty folder */
export async function installTool(tool: OutsideTool, folder: string): Promise<Installed> {
  try {
    if (tool.npm !== undefined) return { version: await installFromNpm(tool.npm, folder) }
    return { version: await installFromDebian(tool.debian ?? [], folder) }
  } catch (error) {
    const [reason = ''] = String(error).split('\n')
    return { skipped: `${tool.name} is skipped, because it could not be installed: ${reason}` }
  }
}

/** Variables with which programs find Debian packages that are unpacked into this folder. */
export function debianVariables(folder: string): Readonly<Record<string, string>> {
  const libraries = join(folder, 'usr/lib')
  const perl = [join(folder, 'usr/share/perl5'), ...below(libraries, 'perl5').flatMap(subfolders)]
  return {
    PERL5LIB: perl.join(':'),
    PYTHONPATH: join(folder, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: below(folder, 'usr/lib').flatMap(subfolders).join(':'),
  }
}

async function installFromNpm(packages: readonly string[], folder: string): Promise<string> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const [first = ''] = packages
  // The timeout replaces npm's default of five minutes for a stalled connection. No tool needs an install script.
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--fetch-timeout=20000']
  await runProgram('npm', ['install', ...options, ...packages], { cwd: folder })
  const name = first.replace(/(?<=.)@.*$/, '')
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  return JSON.parse(manifest).version
}

async function installFromDebian(packages: readonly string[], folder: string): Promise<string> {
  const simulated = ['install', '--simulate', '--no-install-recommends', '-qq', ...packages]
  const plan = await runProgram('apt-get', simulated, { cwd: folder })
  // Matches lines `Inst name (version …)` of packages to install. Lines with a version in brackets are upgrades of installed
  // packages.
  const missing = [...plan.matchAll(/^Inst (\S+) \((\S+)/gm)]
  const names = missing.map(([, name = '']) => name)
  const archives = join(folder, 'archives')
  mkdirSync(archives)
  await runProgram('apt-get', ['download', '-qq', ...names], { cwd: archives })
  for (const archive of readdirSync(archives))
    await runProgram('dpkg', ['-x', archive, folder], { cwd: archives })
  const [, , version = ''] = missing.find(([, name]) => name === packages[0]) ?? []
  return version.replace(/^\d+:/, '').replace(/[-+].*$/, '')
}

function below(folder: string, name: string): readonly string[] {
  const own = join(folder, name)
  const inner = subfolders(folder).map((each) => join(each, name))
  return [own, ...inner].filter((path) => existsSync(path))
}

function subfolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
}
