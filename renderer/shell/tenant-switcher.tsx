// Selects the current tenant and keeps the open screen.
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Boxes, Building2, LayoutTemplate } from 'lucide-react'
import { type ReactElement, useEffect } from 'react'
import { useProjects } from '../api/info.ts'
import type { ProjectChoice } from '../api/projects.ts'
import { rememberTenant, useCurrentTenant } from '../parts/current-tenant.ts'
import { Combobox } from '../ui/combobox.tsx'
import { SCREENS, type TenantAddress } from './screens.tsx'

const ICONS = {
  tenant: <Building2 />,
  template: <LayoutTemplate />,
  project: <Boxes />,
} as const

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
      className="w-56 max-md:w-44"
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

/** Opens the current screen for another tenant. Opens the tenant's tables when the screen belongs to no tenant. */
export function useChooseTenant(): (tenant: string) => void {
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (tenant) => {
    rememberTenant(tenant)
    const screen = /^\/t\/[^/]+\/([^/]+)/.exec(path)?.[1]
    const to = SCREENS.find((one) => one.to === `/t/$tenant/${screen}`)?.to
    void navigate({
      to: (to as TenantAddress | undefined) ?? '/t/$tenant/tables',
      params: { tenant },
    })
  }
}

function headingOf({ kind, groupName }: ProjectChoice): string {
  if (kind === 'tenant') return groupName ?? 'Tenants'
  return kind === 'template' ? 'Templates' : 'Projects'
}
