// Collects the licences of the packages bundled into dist. Their terms require that the texts accompany the code.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

/** Folders of the packages whose code is in a bundle. */
const folders = new Set<string>()

/** Records the packages of each bundle that uses this plugin. */
export const noteLicenses: Plugin = {
  name: 'note-licenses',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        for (const id of chunk.moduleIds)
          if (id.includes('node_modules')) folders.add(packageOf(id))
  },
}

/** Writes the licences of all recorded packages. @throws when a package has no licence */
export function writeLicenses(path: string): void {
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined && license === undefined) throw new Error(`${name} has no licence`)
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  writeFileSync(path, [...new Set(texts)].sort().join(`\n${'-'.repeat(80)}\n\n`))
}

// Finds the package of a module. Skips a package.json without a version, which only marks a folder's module format in some
// packages.
function packageOf(moduleId: string): string {
  let folder = dirname(moduleId.replace(/^\0/, '').replace(/\?.*$/, ''))
  for (; dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (existsSync(path) && 'version' in JSON.parse(readFileSync(path, 'utf8'))) return folder
  }
  throw new Error(`no package holds ${moduleId}`)
}
