// Replaces a screen when the address is unknown, the screen failed, or the tenant doesn't exist.
import { type ErrorComponentProps, Link, Outlet, useParams } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { useProjectList, useProjects } from '../api/info.ts'
import type { ProjectChoice } from '../api/projects.ts'
import { EmptyState } from '../ui/empty-state.tsx'

export function RouteMissing(): ReactElement {
  return (
    <EmptyState
      title="Page not found"
      detail="The address matches no screen of the inspector."
      action={
        <Link to="/" className="text-accent underline">
          Open Home
        </Link>
      }
    />
  )
}

export function RouteFailed({ error }: ErrorComponentProps): ReactElement {
  return (
    <EmptyState
      title="The screen failed"
      detail={error instanceof Error ? error.message : String(error)}
    />
  )
}

/** Renders the open screen. Renders an error instead when the address names a tenant that doesn't exist. */
export function TenantGate(): ReactElement {
  const { tenant } = useParams({ strict: false })
  const { data: projects } = useProjects()
  if (tenant === undefined || projects?.some((one) => isNamed(one, tenant)) !== false)
    return <Outlet />
  return <NoTenant slug={tenant} />
}

function NoTenant({ slug }: { readonly slug: string }): ReactElement {
  const gone = useProjectList().data?.projects.find((one) => one.slug === slug)
  const group = gone?.group_id ?? undefined
  return (
    <EmptyState
      icon={<Building2 />}
      title={group === undefined ? `Tenant “${slug}” not found` : `“${slug}” was removed`}
      detail={
        group === undefined
          ? 'The tenant was purged, or never existed. Choose another tenant at the top.'
          : 'The tenant’s credentials no longer work. The tenant’s schema, users and files are kept until you purge the tenant.'
      }
      action={
        <Link
          to="/tenants"
          search={group === undefined ? {} : { group, project: slug }}
          className="text-accent underline"
        >
          {group === undefined ? 'Groups and tenants' : 'Show the removed tenant'}
        </Link>
      }
    />
  )
}

// Accepts any name that the emulator accepts, because users may type addresses by hand.
function isNamed({ slug, schemaName, projectId }: ProjectChoice, name: string): boolean {
  return slug === name || schemaName === name || projectId === name
}
