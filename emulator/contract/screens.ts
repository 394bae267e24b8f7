// The inspector's screens. The inspector's navigation, its keyboard shortcuts and the desktop app's menu use this list.

/** Screens in the order of the inspector's navigation rail. `$tenant` is the slug of a project. */
export const SCREENS = [
  { path: '/', label: 'Home', group: 'Platform' },
  { path: '/tenants', label: 'Groups and tenants', group: 'Platform' },
  { path: '/fleet', label: 'Fleet', group: 'Platform' },
  { path: '/t/$tenant/tables', label: 'Tables', group: 'Tenant' },
  { path: '/t/$tenant/map', label: 'Schema map', group: 'Tenant' },
  { path: '/t/$tenant/sql', label: 'SQL console', group: 'Tenant' },
  { path: '/t/$tenant/policies', label: 'Policies', group: 'Tenant' },
  { path: '/t/$tenant/audit', label: 'Audit', group: 'Tenant' },
  { path: '/t/$tenant/users', label: 'Users', group: 'Tenant' },
  { path: '/t/$tenant/storage', label: 'Storage', group: 'Tenant' },
  { path: '/t/$tenant/realtime', label: 'Realtime', group: 'Tenant' },
  { path: '/requests', label: 'Requests', group: 'Traffic' },
  { path: '/compare', label: 'Compare', group: 'Traffic' },
  { path: '/tokens', label: 'Tokens', group: 'Traffic' },
  { path: '/mailbox', label: 'Mailbox', group: 'Traffic' },
  { path: '/clock', label: 'Clock', group: 'Simulation' },
  { path: '/faults', label: 'Faults', group: 'Simulation' },
  { path: '/snapshots', label: 'Snapshots', group: 'Simulation' },
  { path: '/fixtures', label: 'Fixtures', group: 'Simulation' },
] as const

export type InspectorScreen = (typeof SCREENS)[number]
export type ScreenPath = InspectorScreen['path']

/** A screen about one project; all other screens are about the whole platform. */
export type TenantScreen = Extract<InspectorScreen, { readonly group: 'Tenant' }>

export function isTenantScreen(screen: InspectorScreen): screen is TenantScreen {
  return screen.group === 'Tenant'
}
