// The file of `tenantry audit --contract`, which the vendor commits. Other files are never overwritten.
import { readFileSync, writeFileSync } from 'node:fs'
import { ExposureContract } from '../../../contract/exposure-contract.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject, parseJson } from '../../../core/json.ts'
import { whyUnreadable, writingTo } from '../../../core/named-files.ts'
import { IN_PLAIN_WORDS } from '../../../core/schema-problem.ts'

class ContractError extends EmulatorError {
  override readonly code = 'no_contract'
}

/**
 * @param to option that names the emulator, for the hint
 * @throws {EmulatorError} when the file cannot be read or is not a contract of this version
 */
export function readContract(path: string, to: string): ExposureContract {
  const hint = `Write a contract with "tenantry audit --accept-contract <file>${to}".`
  return contractOf(path, textOf(path, hint), hint)
}

/** Returns the contract of a file that is to be replaced; `undefined` without a file. @throws {EmulatorError} as `readContract` */
export function findContract(path: string): ExposureContract | undefined {
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
export function saveContract(path: string, contract: ExposureContract): void {
  writingTo(path, () => writeFileSync(path, contractText(contract)))
}

export function contractText(contract: ExposureContract): string {
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

// Reports another kind of file or another version first, because its members follow other rules.
function weight({ path: [first] }: { readonly path: readonly PropertyKey[] }): number {
  return first === 'format' ? 0 : first === 'version' ? 1 : 2
}

function notContract(path: string, why: string, hint: string): ContractError {
  return new ContractError(`${path} is not an exposure contract: ${why}.`, { hint })
}
