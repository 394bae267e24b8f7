/** A change of one member of a bundle. `member` modulo the number of members is the member's index. */
export type BundleChange = { readonly member: number } & (
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'repeat' }
  | {
      readonly kind: 'type'
      readonly type: 'symlink' | 'link' | 'directory' | 'fifo'
      readonly to: string
    }
  /** Replaces one value in the member's JSON, or in its JSON lines. `at` modulo the number of values is the value's index. */
  | { readonly kind: 'value'; readonly at: number; readonly value: unknown }
  /** Renames one key in the member's JSON. `at` modulo the number of keys is the key's index. */
  | { readonly kind: 'key'; readonly at: number; readonly key: string }
  | { readonly kind: 'bytes'; readonly at: number; readonly bytes: readonly number[] }
  /** Adds a member with this text after the chosen member. */
  | { readonly kind: 'add'; readonly name: string; readonly text: string }
)

/** Changes of a bundle of the platform. `~` in a text is replaced by the folder with files that must not change. */
export interface BundleCase {
  readonly changes: readonly BundleChange[]
  /** Whether the manifest gets the sizes and hashes of the changed members. */
  readonly isListed: boolean
  /** The fraction of the file's bytes that is kept, from 0 to 1. */
  readonly kept: number
}

const whole = (changes: readonly BundleChange[]): BundleCase => ({
  changes,
  isListed: true,
  kept: 1,
})
const FOREIGN_FILE = '../../../../precious/a.txt'

/** Stored cases. The first ones are files of an earlier attack, in the format of bundles. */
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
