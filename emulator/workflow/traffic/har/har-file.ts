// Writes a HAR entry by entry. The file is a complete HAR after each entry, so that a recording that is killed can still be read.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { makePrivateFile } from '../../../core/private-files.ts'
import type { Har, HarEntry, HarHead } from './har.ts'

export interface HarFile {
  add(entry: HarEntry): void
  close(): void
}

const END = '\n]}}\n'

/**
 * Creates the file, or replaces it.
 * @param version of the program that records
 * @throws {Error} of the file system when the file cannot be written
 */
export function createHarFile(path: string, version: string, head: HarHead): HarFile {
  // Only the user may read the file, because answers can contain personal data.
  makePrivateFile(path)
  const file = openSync(path, 'w')
  let end = 0
  let isFirst = true
  const write = (text: string): void => {
    ftruncateSync(file, end)
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; )
      done += writeSync(file, bytes, done, bytes.length - done, end + done)
    end += bytes.length - END.length
  }
  write(`${startOf(version, head)}${END}`)
  return {
    add: (entry) => {
      write(`${isFirst ? '\n' : ',\n'}${JSON.stringify(entry)}${END}`)
      isFirst = false
    },
    close: () => closeSync(file),
  }
}

function startOf(version: string, head: HarHead): string {
  const log: Har['log'] = {
    version: '1.2',
    creator: { name: 'tenantry record', version },
    pages: [],
    comment: 'Secrets are replaced by placeholders. Equal secrets have equal placeholders.',
    _tenantry: head,
    entries: [],
  }
  return JSON.stringify({ log }).replace(/\]\}\}$/, '')
}
