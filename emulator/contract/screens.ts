// The inspector's screens. The inspector's navigation, its keyboard shortcuts and the desktop app's menu use this list.

/**
 * Screens in the order of the inspector's navigation rail, grouped by job: what a user wants to do. `$tenant` is the slug of a project.
 */
export const SCREENS = [
  { path: '/', label: 'Home', group: 'Home' },
  { path: '/t/$tenant/tables', label: 'Tables', group: 'Data' },
  { path: '/t/$tenant/map', label: 'Schema map', group: 'Data' },
  { path: '/t/$tenant/sql', label: 'SQL console', group: 'Data' },
  { path: '/t/$tenant/storage', label: 'Storage', group: 'Data' },
  { path: '/t/$tenant/policies', label: 'Policies', group: 'Access' },
  { path: '/t/$tenant/audit', label: 'Audit', group: 'Access' },
  { path: '/t/$tenant/users', label: 'Users', group: 'Access' },
  { path: '/tokens', label: 'Tokens', group: 'Access' },
  { path: '/requests', label: 'Requests', group: 'Traffic' },
  { path: '/t/$tenant/follow', label: 'Follow user', group: 'Traffic' },
  { path: '/t/$tenant/realtime', label: 'Realtime', group: 'Traffic' },
  { path: '/mailbox', label: 'Mailbox', group: 'Traffic' },
  { path: '/compare', label: 'Compare', group: 'Traffic' },
  { path: '/fleet', label: 'Fleet', group: 'Fleet' },
  { path: '/tenants', label: 'Groups and tenants', group: 'Fleet' },
  { path: '/clock', label: 'Clock', group: 'World' },
  { path: '/faults', label: 'Faults', group: 'World' },
  { path: '/snapshots', label: 'Snapshots', group: 'World' },
  { path: '/fixtures', label: 'Fixtures', group: 'World' },
] as const

export type InspectorScreen = (typeof SCREENS)[number]
export type ScreenPath = InspectorScreen['path']

/** A screen about one project; all other screens are about the whole platform. */
export type TenantScreen = Extract<InspectorScreen, { readonly path: `/t/$tenant/${string}` }>

export function isTenantScreen(screen: InspectorScreen): screen is TenantScreen {
  return screen.path.startsWith('/t/$tenant/')
}
