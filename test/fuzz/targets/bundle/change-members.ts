// Changes the members of a bundle as a case describes.
import { listMembers, type Member, packMembers, parsed } from '../../../support/bundle-members.ts'
import type { BundleCase, BundleChange } from '../../examples/bundle.ts'

type Members = readonly Member[]

/** Returns the bytes of the changed bundle. */
export async function changedBundle(members: Members, one: BundleCase): Promise<Uint8Array> {
  const changed = one.changes.reduce(change, members)
  const bytes = await packMembers(one.isListed ? listMembers(changed) : changed)
  return bytes.subarray(0, Math.ceil(bytes.length * one.kept))
}

function change(members: Members, one: BundleChange): Members {
  const at = members.length === 0 ? 0 : one.member % members.length
  const [member] = members.slice(at)
  if (member === undefined) return members
  return members.toSpliced(at, 1, ...changedMember(member, one))
}

function changedMember(member: Member, one: BundleChange): Members {
  switch (one.kind) {
    case 'add':
      return [member, { name: one.name, bytes: Buffer.from(one.text), type: 'file' }]
    case 'rename':
      return [{ ...member, name: one.name }]
    case 'drop':
      return []
    case 'repeat':
      return [member, member]
    case 'type':
      return [{ ...member, bytes: new Uint8Array(), type: one.type, linkname: one.to }]
    case 'bytes':
      return [{ ...member, bytes: overwritten(member.bytes, one.at, one.bytes) }]
    case 'value':
    case 'key':
      return [{ ...member, bytes: changedJson(member.bytes, one) }]
  }
}

function overwritten(bytes: Uint8Array, at: number, by: readonly number[]): Uint8Array {
  const place = bytes.length === 0 ? 0 : at % bytes.length
  const copy = Buffer.from(bytes)
  copy.set(by.slice(0, copy.length - place), place)
  return copy
}

interface Place {
  readonly line: number
  readonly root: Record<string, unknown>
  readonly holder: Record<string, unknown>
  readonly key: string
}

// Changes a value in a member that is JSON or JSON lines. The index counts the values of all lines.
function changedJson(
  bytes: Uint8Array,
  one: Extract<BundleChange, { readonly kind: 'value' | 'key' }>,
): Uint8Array {
  const lines = Buffer.from(bytes).toString().trimEnd().split('\n')
  const places = lines.flatMap(placesIn)
  const [place] = places.slice(places.length === 0 ? 0 : one.at % places.length)
  if (place === undefined) return bytes
  const { holder, key, line, root } = place
  if (one.kind === 'value') holder[key] = one.value
  else {
    const value = holder[key]
    delete holder[key]
    // Uses defineProperty, so that `__proto__` also becomes an ordinary key.
    Object.defineProperty(holder, one.key, { value, enumerable: true, configurable: true })
  }
  lines[line] = JSON.stringify(root['value']) ?? ''
  return Buffer.from(lines.join('\n'))
}

function placesIn(text: string, line: number): readonly Place[] {
  const root: Record<string, unknown> = { value: parsed(text) }
  const places: Place[] = []
  const visit = (holder: Record<string, unknown>, key: string): void => {
    places.push({ line, root, holder, key })
    const inner = holder[key]
    if (typeof inner === 'object' && inner !== null)
      for (const name of Object.keys(inner)) visit(inner as Record<string, unknown>, name)
  }
  if (root['value'] !== undefined) visit(root, 'value')
  return places
}
