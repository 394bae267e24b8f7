// Learns before the first request which groups, tenants and projects correspond, because an application knows their ids from its
// settings. The slug of a tenant and the name of a group are the same on both platforms. Pure, except that it adds to the
// correspondence.
import type { ReadyGroup, ReadyLine, ReadyTenant } from '../../../contract/addresses.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { type Correspondence, GLOBAL } from '../compare/correspondence.ts'
import type { CredentialFacts, HarEntry } from '../har/har.ts'

export function learnBeforehand(
  entries: readonly HarEntry[],
  { groups }: Pick<ReadyLine, 'groups'>,
  pairs: Correspondence,
): void {
  const tenants = groups.flatMap((group) => group.tenants)
  for (const { claims } of factsOf(entries)) {
    const tenant = tenants.find(({ schema_name }) => schema_name === claims['project_schema'])
    const projectId = claims['project_id']
    if (tenant !== undefined && typeof projectId === 'string')
      pairs.relate(GLOBAL, projectId, tenant.project_id)
  }
  for (const { response } of entries) {
    const answer = parseJson(response.content.text ?? '')
    if (answer !== undefined) learnFrom(answer, { groups, tenants }, pairs)
  }
  learnOnlyGroup(entries, groups, pairs)
}

/** Returns the facts of all masked credentials. */
export function factsOf(entries: readonly HarEntry[]): readonly CredentialFacts[] {
  return entries.flatMap(({ _credentials }) => _credentials ?? [])
}

function learnFrom(
  value: JsonValue,
  known: { readonly groups: readonly ReadyGroup[]; readonly tenants: readonly ReadyTenant[] },
  pairs: Correspondence,
): void {
  if (Array.isArray(value)) for (const each of value) learnFrom(each, known, pairs)
  if (!isJsonObject(value)) return
  const { id, name, slug } = value
  const tenant = known.tenants.find((each) => each.slug === slug)
  const group = known.groups.find((each) => each.name === name)
  if (typeof id === 'string' && id.startsWith('ten_') && tenant !== undefined)
    pairs.relate(GLOBAL, id, tenant.id)
  if (typeof id === 'string' && id.startsWith('grp_') && group !== undefined)
    pairs.relate(GLOBAL, id, group.id)
  for (const inner of Object.values(value)) if (inner !== undefined) learnFrom(inner, known, pairs)
}

// When the recording uses one group and the emulator has one group, these groups correspond.
function learnOnlyGroup(
  entries: readonly HarEntry[],
  groups: readonly ReadyGroup[],
  pairs: Correspondence,
): void {
  const [group, ...others] = groups
  const used = new Set(
    entries.flatMap(({ request }) => request.url.match(/grp_[a-z2-7]{20}/g) ?? []),
  )
  const [id, ...further] = used
  if (group !== undefined && id !== undefined && others.length + further.length === 0)
    pairs.relate(GLOBAL, id, group.id)
}
