// The open screen, unless its address names a project that is not there, or no longer.
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { useOverview, useProjects } from '../api/info.ts'
import type { ProjectChoice } from '../api/projects.ts'
import { EmptyState } from '../ui/empty-state.tsx'

export function TenantGate(): ReactElement {
  const { tenant } = useParams({ strict: false })
  const { data: projects = [], isWhole } = useProjects()
  if (tenant === undefined || !isWhole || projects.some((one) => isNamed(one, tenant)))
    return <Outlet />
  return <NoTenant slug={tenant} />
}

function NoTenant({ slug }: { readonly slug: string }): ReactElement {
  const groups = useOverview().data?.groups ?? []
  const group = groups.find(({ removed_tenants: gone }) => gone.some((one) => one.slug === slug))
  return (
    <EmptyState
      icon={<Building2 aria-hidden="true" />}
      title={group === undefined ? `There is no tenant “${slug}”` : `“${slug}” was removed`}
      detail={
        group === undefined
          ? 'It was purged, or never there. Choose another one at the top.'
          : 'No credential opens it any more. Its schema, users and files are kept until it is purged.'
      }
      action={
        <Link
          to="/tenants"
          search={group === undefined ? {} : { group: group.id, project: slug }}
          className="text-accent underline"
        >
          {group === undefined ? 'Groups and tenants' : 'See what is left of it'}
        </Link>
      }
    />
  )
}

// Addresses may be written by hand, with any name that the emulator takes.
function isNamed({ slug, schemaName, projectId }: ProjectChoice, name: string): boolean {
  return slug === name || schemaName === name || projectId === name
}
