// Runs `tenantry audit --contract` and `--accept-contract`. Reads what anon and a new user reach in tenants of a running
// emulator, and compares it with a file or writes the file.

import { readFileSync, writeFileSync } from 'node:fs'
import { type AuditCause, causesOf } from '../../../contract/audit-causes.ts'
import { compareExposure, wideningText } from '../../../contract/compare-exposure.ts'
import { type ExposureComparison, ExposureContract } from '../../../contract/exposure-contract.ts'
import { joinContracts } from '../../../contract/join-contracts.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject, parseJson } from '../../../core/json.ts'
import { whyUnreadable, writingTo } from '../../../core/named-files.ts'
import { printable } from '../../../core/printable.ts'
import { IN_PLAIN_WORDS } from '../../../core/schema-problem.ts'
import { counted } from '../../report.ts'
import { emulatorOf, printAnswer, urlOption } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { causeLines } from './audit-report.ts'
import { type AuditOptions, slugsOf } from './run-audit.ts'

/** What `tenantry audit --contract --json` prints. */
interface ContractOutcome {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** Path of the file. */
  readonly contract: string
  readonly tenants: readonly string[]
  /** Access beyond the contract, by cause. */
  readonly widened: readonly AuditCause[]
  /** Sentences about access that narrowed in all tenants, and about objects that were renamed or removed in all tenants. */
  readonly changes: readonly string[]
  /** What identities reach in any of the tenants. */
  readonly present: ExposureContract
}

/** Compares the tenants with the file, and sets the exit code. @throws {EmulatorError} */
export async function checkContract(options: AuditOptions, path: string): Promise<void> {
  const contract = readContract(path, urlOption(options))
  const emulator = emulatorOf(options)
  const tenants = await slugsOf(emulator, options.tenant)
  const comparisons: ExposureComparison[] = []
  for (const ref of tenants)
    comparisons.push(
      await emulator.call('POST /projects/:ref/audit/contract', {
        params: { ref },
        body: contract,
      }),
    )
  const present = joinContracts(comparisons.map((one) => one.present))
  const widened = causesOf(
    comparisons.map(({ tenant, widened: findings }) => ({ tenant, findings })),
  )
  // Access counts as narrowed only when it narrowed in all tenants: identities of a tenant with few rows may reach less.
  const { changes } = compareExposure(contract, present)
  const ok = widened.length === 0
  const outcome = { ok, contract: path, tenants, widened, changes, present }
  printAnswer(options, outcome, outcomeText(outcome, urlOption(options)))
  if (!ok) terminal().exitCode = 1
}

/** @param to option that names the emulator */
function outcomeText(
  { changes, contract, present, tenants, widened }: ContractOutcome,
  to: string,
): string {
  const { buckets, functions, tables } = present
  const [tableCount, functionCount, bucketCount] = [tables, functions, buckets].map(
    (one) => Object.keys(one).length,
  )
  const compared = `${counted(tableCount ?? 0, 'table')}, ${counted(functionCount ?? 0, 'function')} and ${counted(bucketCount ?? 0, 'bucket')}`
  const accept = `"tenantry audit --accept-contract ${contract}${to}"`
  const parts = [
    `${tenants.join(', ')}: ${compared} compared with ${contract}.`,
    ...section('Widened', widened.flatMap(causeLines)),
    ...section('Other changes', indented(changes)),
    widened.length === 0
      ? `Nothing widened.${changes.length === 0 ? '' : ` Record the changes with ${accept}.`}`
      : `${counted(widened.length, 'widening')}. If you intended ${widened.length === 1 ? 'it' : 'them'}, run ${accept}.`,
  ]
  return parts.map(printableLines).join('\n\n')
}

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** Returns the title with its lines, or nothing when there are no lines. */
function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[title, ...lines].join('\n')]
}

function indented(sentences: readonly string[]): readonly string[] {
  return sentences.map((sentence) => `  ${sentence}`)
}

/** What `tenantry audit --accept-contract --json` prints. */
interface AcceptOutcome {
  readonly contract: string
  /** Whether the file was written. */
  readonly written: boolean
  /** What changed since the previous file was written. Empty for a new file. */
  readonly widened: readonly string[]
  readonly changes: readonly string[]
  readonly present: ExposureContract
}

/** Writes the file, and prints what changed in it. @throws {EmulatorError} */
export async function writeContract(options: AuditOptions, path: string): Promise<void> {
  const before = findContract(path)
  const emulator = emulatorOf(options)
  const contracts: ExposureContract[] = []
  for (const ref of await slugsOf(emulator, options.tenant))
    contracts.push(await emulator.call('GET /projects/:ref/audit/contract', { params: { ref } }))
  const present = joinContracts(contracts)
  const { changes, widened } =
    before === undefined ? { changes: [], widened: [] } : compareExposure(before, present)
  const written = before === undefined || contractText(before) !== contractText(present)
  if (written) saveContract(path, present)
  const outcome = { contract: path, written, widened: widened.map(wideningText), changes, present }
  printAnswer(options, outcome, acceptText(outcome))
}

function acceptText({ changes, contract, widened, written }: AcceptOutcome): string {
  if (!written) return `${contract} is up to date.`
  const parts = [
    ...section('Widened', indented(widened)),
    ...section('Other changes', indented(changes)),
    `${contract} written.`,
  ]
  return parts.map(printableLines).join('\n\n')
}

// The file of `tenantry audit --contract`, which the vendor commits. Other files are never overwritten.

class ContractError extends EmulatorError {
  override readonly code = 'no_contract'
}

/**
 * @param to option that names the emulator, for the hint
 * @throws {EmulatorError} when the file cannot be read or is not a contract of this version
 */
function readContract(path: string, to: string): ExposureContract {
  const hint = `Write a contract with "tenantry audit --accept-contract <file>${to}".`
  return contractOf(path, textOf(path, hint), hint)
}

/** Reads the contract that is to be replaced. Returns `undefined` without a file. @throws {EmulatorError} as `readContract` */
function findContract(path: string): ExposureContract | undefined {
  const hint = 'Nothing was written. Name another file, or remove this one first.'
  try {
    return contractOf(path, readFileSync(path, 'utf8'), hint)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause instanceof EmulatorError
      ? cause
      : new ContractError(whyUnreadable(path, cause), { hint, cause })
  }
}

/** @throws {UnwritableFile} */
function saveContract(path: string, contract: ExposureContract): void {
  writingTo(path, () => writeFileSync(path, contractText(contract)))
}

function contractText(contract: ExposureContract): string {
  return `${JSON.stringify(contract, null, 2)}\n`
}

function textOf(path: string, hint: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ContractError(whyUnreadable(path, cause), { hint, cause })
  }
}

function contractOf(path: string, text: string, hint: string): ExposureContract {
  const content = parseJson(text)
  if (content === undefined) throw notContract(path, 'it is not JSON', hint)
  const parsed = ExposureContract.safeParse(content, IN_PLAIN_WORDS)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues.toSorted((one, other) => weight(one) - weight(other))
  const place = issue?.path.join('.') ?? ''
  const version = isJsonObject(content) ? content['version'] : undefined
  const found =
    place === 'version' && version !== undefined
      ? `. The file has version ${JSON.stringify(version)}, which another release of Tenantry wrote`
      : ''
  throw notContract(path, `${place === '' ? 'it' : `${place}:`} ${issue?.message}${found}`, hint)
}

// Sorts problems of `format` and `version` first, because the other members of such a file follow other rules.
function weight({ path: [first] }: { readonly path: readonly PropertyKey[] }): number {
  return first === 'format' ? 0 : first === 'version' ? 1 : 2
}

function notContract(path: string, why: string, hint: string): ContractError {
  return new ContractError(`${path} is not an exposure contract: ${why}.`, { hint })
}
