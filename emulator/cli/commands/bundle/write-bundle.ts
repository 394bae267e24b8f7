// Writes the bundle of a running emulator for `tenantry bundle`. A file that cannot be completed is removed.
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BUNDLE_FILE_ENDING } from '../../../contract/bundles.ts'
import { SystemClock } from '../../../core/clock.ts'
import { defined } from '../../../core/defined.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { writingTo } from '../../../core/named-files.ts'
import { makePrivateFile } from '../../../core/private-files.ts'
import { toIso } from '../../../core/time.ts'
import type { Manifest } from '../../../workflow/bundles/manifest.ts'
import { readBundleManifest } from '../../../workflow/bundles/unpack-bundle.ts'
import { type LiveLine, showing } from '../../live-line.ts'
import { counted } from '../../report.ts'
import { emulatorOf, printAnswer, type RunningOptions } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface BundleOptions extends RunningOptions {
  readonly out: string | undefined
  readonly note: string | undefined
  readonly request: string | undefined
  readonly withoutState: boolean
}

class OutError extends EmulatorError {
  override readonly code = 'file_exists'
}

/** @throws {EmulatorError} */
export async function writeBundle(options: BundleOptions): Promise<void> {
  const { note, out = defaultName(), request, withoutState } = options
  if (existsSync(out))
    throw new OutError(`${out} exists already.`, { hint: 'Name another file with --out.' })
  const body = { ...defined({ note, request_id: request }), with_state: !withoutState }
  // The file gets its final name only when it is complete.
  const draft = join(resolve(out), '..', `.${process.pid}${BUNDLE_FILE_ENDING}`)
  removeOnSignal(draft)
  writingTo(out, () => makePrivateFile(draft))
  try {
    await showing('Packing state and requests', async (line) => {
      const content = await emulatorOf(options).open('POST /bundles', { body })
      await pipeline(content, (parts) => counting(parts, line), createWriteStream(draft))
    })
    const manifest = await readBundleManifest(draft)
    renameSync(draft, out)
    const facts = { file: resolve(out), size_bytes: statSync(out).size, ...factsOf(manifest) }
    printAnswer(options, facts, `Wrote ${out}: ${contentsOf(manifest, facts.size_bytes)}`)
  } finally {
    rmSync(draft, { force: true })
  }
}

async function* counting(parts: AsyncIterable<Uint8Array>, line: LiveLine) {
  let bytes = 0
  for await (const part of parts) {
    bytes += part.byteLength
    line.show({ what: `Writing the bundle, ${(bytes / 1_000_000).toFixed(1)} MB` })
    yield part
  }
}

// Without this listener, a signal would end the process before `finally` removes the file.
function removeOnSignal(path: string): void {
  const own = terminal()
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    own.once(signal, () => {
      rmSync(path, { force: true })
      own.stderr.write('tenantry: Interrupted. No bundle was written.\n')
      own.exit(exitCode)
    })
}

function factsOf({ files: _files, ...facts }: Manifest): object {
  return facts
}

function defaultName(): string {
  const now = toIso(new SystemClock().now()).slice(0, 19)
  return `tenantry-${now.replaceAll(':', '-')}${BUNDLE_FILE_ENDING}`
}

/** Says what a new bundle contains, and who may have it. */
function contentsOf({ request_id, requests, state }: Manifest, sizeBytes: number): string {
  const size =
    sizeBytes < 100_000
      ? `${Math.ceil(sizeBytes / 1_000)} kB`
      : `${(sizeBytes / 1_000_000).toFixed(1)} MB`
  const inside = [
    state === null ? 'no state' : `state of ${counted(state.tenants, 'tenant')}`,
    counted(requests, 'request'),
  ]
  return [
    `${size}, ${inside.join(', ')}.`,
    ...(request_id === null ? [] : [`It opens at the request ${request_id}.`]),
    ...leftOut(state?.objects_left_out ?? 0),
    state === null
      ? 'It contains bodies and rows of requests, with masked credentials. Check them before you send the file.'
      : 'It contains keys, users and rows of this emulator. Send it only to people who may have them.',
  ].join('\n')
}

/** Says how many stored files the bundle does not contain. */
export function leftOut(count: number): readonly string[] {
  return count === 0
    ? []
    : [`${counted(count, 'stored file')} left out, because all files together exceed 64 MB.`]
}
