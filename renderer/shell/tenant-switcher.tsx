// Selects the current tenant and keeps the open screen.
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Boxes, Building2, LayoutTemplate } from 'lucide-react'
import { type ReactElement, useEffect } from 'react'
import type { IdentityChoices, IdentityReference } from '../../emulator/contract/identities.ts'
import { call } from '../api/client.ts'
import { useProjects } from '../api/info.ts'
import type { ProjectChoice } from '../api/projects.ts'
import { useActingAs } from '../parts/acting-as.ts'
import { rememberTenant, useCurrentTenant } from '../parts/current-tenant.ts'
import { identityLabel, identityText } from '../parts/identity-text.ts'
import { Combobox } from '../ui/combobox.tsx'
import { showToast } from '../ui/toast.tsx'
import { SCREENS, type TenantAddress } from './screens.tsx'

const ICONS = {
  tenant: <Building2 />,
  template: <LayoutTemplate />,
  project: <Boxes />,
} as const

const NO_CHOICES: IdentityChoices = { identities: [] }

export function TenantSwitcher(): ReactElement {
  const { data: projects = [] } = useProjects()
  const current = useCurrentTenant()
  const choose = useChooseTenant()
  useEffect(() => {
    if (projects.some(({ slug }) => slug === current) && current !== undefined)
      rememberTenant(current)
  }, [projects, current])
  return (
    <Combobox
      label="Tenant"
      value={current ?? null}
      placeholder={current ?? 'No tenant'}
      className="w-56 max-md:w-36"
      isMono
      onChange={choose}
      options={projects.map((project) => ({
        value: project.slug,
        label: project.slug,
        group: headingOf(project),
        icon: ICONS[project.kind],
        ...(project.kind === 'template' ? { detail: 'template' } : {}),
      }))}
      foot={
        <Link to="/tenants" className="px-2 text-accent hover:underline">
          Groups and tenants
        </Link>
      }
    />
  )
}

/**
 * Opens the current screen for another tenant, or the tenant's tables when the screen belongs to no tenant. Keeps the identity
 * when the tenant knows it, and the open table when the tenant has one of this name.
 */
export function useChooseTenant(): (tenant: string) => void {
  const navigate = useNavigate()
  const { identity } = useActingAs()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (tenant) => {
    rememberTenant(tenant)
    const [, screen, place] = /^\/t\/[^/]+\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? []
    const to = SCREENS.find((one) => one.to === `/t/$tenant/${screen}`)?.to
    const ofTable = TABLE_SCREENS.find((one) => one === `${to}/$table`)
    const table = ofTable && place && decodeURIComponent(place)
    const open = (kept: IdentityReference | null, hasTable: boolean) => {
      const as = kept === null ? undefined : identityText(kept)
      if (ofTable !== undefined && table !== undefined && hasTable)
        return navigate({
          to: ofTable,
          params: { tenant, table },
          search: ({ view }: { readonly view?: string | undefined }) => ({ view, as }) as never,
        })
      return navigate({
        to: (to as TenantAddress | undefined) ?? '/t/$tenant/tables',
        params: { tenant },
        search: { as },
      })
    }
    void Promise.all([isKnown(tenant, identity), hasTableOf(tenant, table)]).then(
      ([isKept, hasTable]) => {
        void open(isKept ? identity : null, hasTable)
        if (!isKept && identity !== null) sayOwner(tenant, identity)
      },
    )
  }
}

/** Screens with an open table in their address. */
const TABLE_SCREENS = ['/t/$tenant/tables/$table', '/t/$tenant/policies/$table'] as const

async function hasTableOf(tenant: string, table: string | undefined): Promise<boolean> {
  if (table === undefined) return false
  // The next screen shows the error when this request fails.
  const tables = await call('GET /projects/:ref/tables', { params: { ref: tenant } }).catch(
    () => undefined,
  )
  return tables?.tables.some(({ name }) => name === table) ?? false
}

/**
 * Whether the tenant knows the identity. A request's identity belongs to one tenant, but keys and claims exist in every tenant.
 */
async function isKnown(tenant: string, identity: IdentityReference | null): Promise<boolean> {
  if (identity?.kind === 'request') return false
  if (identity?.kind !== 'user') return true
  const inputs = { params: { ref: tenant }, query: { search: identity.user } }
  // The next screen shows the error when this request fails.
  const { identities } = await call('GET /projects/:ref/identities', inputs).catch(() => NO_CHOICES)
  return identities.some(
    ({ label, reference }) =>
      reference.kind === 'user' && [label, reference.user].includes(identity.user),
  )
}

function sayOwner(tenant: string, identity: IdentityReference): void {
  const detail = `${tenant} does not know ${identityLabel(identity)}.`
  showToast({ title: 'You act as the owner again', detail })
}

function headingOf({ kind, groupName }: ProjectChoice): string {
  if (kind === 'tenant') return groupName ?? 'Tenants'
  return kind === 'template' ? 'Templates' : 'Projects'
}
