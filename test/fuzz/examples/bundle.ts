/** A change of a bundle's member, which is chosen by its place modulo the number of members. */
export type BundleChange = { readonly member: number } & (
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'repeat' }
  | {
      readonly kind: 'type'
      readonly type: 'symlink' | 'link' | 'directory' | 'fifo'
      readonly to: string
    }
  /** Sets the value at the `at`-th place (modulo) of the member's JSON, or of a line of it. */
  | { readonly kind: 'value'; readonly at: number; readonly value: unknown }
  /** Renames the `at`-th key (modulo) of the member's JSON. */
  | { readonly kind: 'key'; readonly at: number; readonly key: string }
  | { readonly kind: 'bytes'; readonly at: number; readonly bytes: readonly number[] }
  /** Adds a member with this text after the chosen one. */
  | { readonly kind: 'add'; readonly name: string; readonly text: string }
)

/** Changes of a bundle of the platform. `~` in a text means the folder with files that must not change. */
export interface BundleCase {
  readonly changes: readonly BundleChange[]
  /** Whether sizes and hashes in the manifest are made right again. */
  readonly isListed: boolean
  /** Part of the file that is kept, from 0 to 1. */
  readonly kept: number
}

const whole = (changes: readonly BundleChange[]): BundleCase => ({
  changes,
  isListed: true,
  kept: 1,
})
const FOREIGN_FILE = '../../../../precious/a.txt'

/** The files of the attack that found the first ones, as this format would carry them. */
export const BUNDLE_EXAMPLES: Readonly<Record<string, BundleCase>> = {
  'a note of a pending restore beside the records': whole([
    {
      kind: 'add',
      member: 0,
      name: 'state/postgres-loading.json',
      text: JSON.stringify({ from: '~', files: ['a.txt'], remove: [FOREIGN_FILE] }),
    },
  ]),
  'a note of a pending restore inside a cluster': whole([
    {
      kind: 'add',
      member: 0,
      name: 'state/postgres/tenantry-loading.json',
      text: JSON.stringify({ from: '~', files: ['a.txt'], remove: [FOREIGN_FILE] }),
    },
  ]),
  'a database with a trigger': whole([
    { kind: 'add', member: 0, name: 'state/platform.db', text: 'SQLite format 3\0' },
  ]),
  'a member outside': whole([{ kind: 'add', member: 0, name: '~/b.txt', text: 'x' }]),
  'a member through a link': whole([
    { kind: 'type', member: 3, type: 'symlink', to: '~' },
    { kind: 'add', member: 0, name: 'state/projects/fuzzed.jsonl/a.txt', text: 'x' },
  ]),
}
