// A check of one rule of docs/wire, and what checks need of the target. Pure.
import type { Reply, Steps } from './steps.ts'

/** A tenant's anon key, and the facts about the tenant that the key's claims contain. */
export interface TenantAccess {
  readonly slug: string
  readonly schemaName: string
  readonly projectId: string
  readonly anonKey: string
}

/** A tenant of the throw-away group. */
export interface LabTenant extends TenantAccess {
  readonly id: string
  readonly serviceRoleKey: string
  readonly managementKey: string
  /** Storage tokens of the anon key and the service role key. */
  readonly anonStorage: string
  readonly serviceStorage: string
  /** Realtime token of the anon key. */
  readonly anonRealtime: string
}

/** A user of the tenant `home` of the throw-away group. */
export interface LabUser {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly accessToken: string
  readonly dataPlaneToken: string
  readonly storage: string
  readonly realtime: string
}

/** The throw-away group of a run that writes. */
export interface Lab {
  /** Begins the slug of everything that the run creates. */
  readonly prefix: string
  readonly group: GroupAccess
  readonly home: LabTenant
  readonly neighbour: LabTenant
  readonly ana: LabUser
  readonly ben: LabUser
  /** Full name of a private bucket of `home`, created through the platform's route. */
  readonly bucket: string
}

/** The account and the template of a throw-away group that the run created. */
export interface LabOwner {
  readonly session: string
  readonly template: { readonly id: string; readonly slug: string }
}

export interface GroupAccess {
  readonly id: string
  readonly key: string
}

/** The sections of docs/wire/errors.md. */
export type ErrorSection = 'management' | 'auth' | 'data' | 'storage' | 'realtime'

/** An error response that an earlier check caused. */
export interface Refusal {
  readonly section: ErrorSection
  /** Method and path. */
  readonly request: string
  readonly reply: Reply
}

/** What a run can use. A check is skipped when something that it needs is missing. */
export interface Capabilities {
  /** Set when the target is an emulator. Checks can then test the emulator's own choices, and read its mailbox. */
  readonly emulator: { readonly adminToken: string | undefined }
  /** Set when each service has a host name of its own, as on the hosted platform (docs/wire/platform.md#addresses). */
  readonly hosts: true
  readonly session: string
  readonly group: GroupAccess
  readonly tenant: TenantAccess
  readonly serviceRoleKey: string
  readonly lab: Lab
  readonly owner: LabOwner
  /** The refusals of the run so far, and the text of docs/wire/errors.md. */
  readonly refusals: { readonly soFar: readonly Refusal[]; readonly page: string }
}
export type Need = keyof Capabilities

export interface Check {
  /** States the behaviour in the present tense. */
  readonly title: string
  readonly needs: readonly Need[]
  /** Returns the steps. The runner calls this function only when everything in `needs` exists. */
  readonly steps: (world: Capabilities) => Steps
}

/** Creates a check whose steps see only what the check needs. */
export function check<const Name extends Need>(
  title: string,
  needs: readonly Name[],
  steps: (world: Pick<Capabilities, Name>) => Steps,
): Check {
  return { title, needs, steps }
}

/** A rule with its checks, or the reason why no request can check the rule. */
export type Rule =
  | {
      readonly checks: readonly [Check, ...Check[]]
      /** Which parts of the rule the checks leave out, and why. */
      readonly unchecked?: string
    }
  | { readonly reason: string }

/** The rules of a page of docs/wire by their anchors. */
export type RulesOfPage = Readonly<Record<string, Rule>>
