// This file holds all texts about groups and tenants, so that you can review them together.
import type { AuthSettingsWire } from '../../../emulator/contract/auth-settings.ts'
import { MAX_SLUG_LENGTH } from '../../../emulator/contract/slugs.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatDuration, formatNumber } from '../../ui/format.ts'

type SettingName = keyof AuthSettingsWire

export const SETTINGS: Readonly<
  Record<SettingName, { readonly title: string; readonly detail: string }>
> = {
  confirm_email: {
    title: 'Confirm e-mail',
    detail: 'Users get a session only after they confirm their address.',
  },
  signup_closed: { title: 'Sign-up closed', detail: 'Only existing users can sign in.' },
  password_min_length: { title: 'Minimum password length', detail: 'In characters.' },
  providers: { title: 'Social sign-in', detail: 'Providers that users can sign in with.' },
  whatsapp: { title: 'WhatsApp', detail: 'Result of sending a code.' },
  sms: { title: 'SMS', detail: 'Result of sending a code.' },
  redirect_urls: {
    title: 'Redirect URLs',
    detail:
      'Enter one URL per line. The platform compares URLs exactly. Loopback addresses are always allowed.',
  },
}

export const PROVIDERS: Readonly<Record<AuthSettingsWire['providers'][number], string>> = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
}
export const WHATSAPP: Readonly<Record<AuthSettingsWire['whatsapp'], string>> = {
  works: 'works',
  not_configured: 'not configured',
  send_failed: 'sending fails',
}
export const SMS: Readonly<Record<AuthSettingsWire['sms'], string>> = {
  works: WHATSAPP.works,
  not_configured: WHATSAPP.not_configured,
}

export const EMPTY = {
  tenants: { title: 'No tenants yet', detail: 'Provision a tenant from the group’s template.' },
  matches: { title: 'No tenant matches', detail: 'Search for a part of a slug or external ID.' },
  keys: {
    title: 'No active keys',
    detail: 'Mint a key above to manage this group from a backend.',
  },
  comparison: {
    title: 'No project chosen',
    detail: 'Choose a tenant or the template to see how the structures differ.',
  },
} as const

export const HINTS = {
  slug: 'Use lowercase letters, digits and underscores. The slug also names the schema.',
  externalId: 'The ID of this customer in your own system.',
  newKey: 'Copy the key now. The emulator shows the key once and stores only its prefix.',
  emulatorKey:
    'The key shown under “Connect” and in the .env block belongs to the emulator. The emulator mints a new key when you revoke this key.',
  noTemplate: 'This group has no template.',
  unknownProject: 'This project does not exist. The project was purged, or the address is wrong.',
  offline:
    'This tenant is offline: its credentials are refused. The tenant’s schema, users and files are kept until you purge the tenant.',
} as const

export const SLUG_TOO_LONG: string = `A slug has at most ${MAX_SLUG_LENGTH} characters.`

/** @param usable the slug with only allowed characters; empty if no character is left */
export function slugCharactersText(usable: string): string {
  const rule = 'Use lowercase letters, digits and underscores'
  return usable === '' ? `${rule}.` : `${rule}, for example ${usable}.`
}

export function slugReservedText(slug: string): string {
  return `${slug} is reserved by the platform.`
}

export function slugTakenText(slug: string): string {
  return `${slug} is taken. The slug of a removed tenant stays taken.`
}

export const CONFIRM = {
  regenerate:
    'Creates a new anon key and a new service_role key. The platform then refuses tokens signed with the old keys, including user sessions.',
  remove: 'Takes the tenant offline at once. The tenant’s data is kept until you purge the tenant.',
  publish:
    'Copies the structure of the project that the group’s template was published from into a new, frozen version. New tenants are created from it. Existing tenants keep their version.',
  purge: 'Permanently deletes the schema, users, files and keys.',
} as const

export function fullText(limit: number): string {
  return `The group has all ${countOf(limit, 'tenant')} of its plan. Remove a tenant, or use another group.`
}

export function templateText(group: string, version: number, plan: string): string {
  return `Template of ${group}: new tenants are created from it. Version ${version}, ${plan} plan.`
}

/** The text follows the slug: `new_customer created in 305 ms.` */
export function createdText(millis: number): string {
  return `created in ${formatDuration(millis)}.`
}

export function publishedText(tables: number, older: number): string {
  return `${countOf(tables, 'table')}. ${countOf(older, 'tenant')} on an earlier version.`
}

export function purgedText(buckets: number, objects: number): string {
  return `Deleted ${countOf(buckets, 'bucket')} and ${countOf(objects, 'file')}.`
}

export function generationText(version: number): string {
  return `generation ${formatNumber(version)}`
}
