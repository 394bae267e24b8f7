import { Outlet } from '@tanstack/react-router'
import type { ReactElement } from 'react'

export function Shell(): ReactElement {
  return (
    <main className="flex h-full flex-col">
      <Outlet />
    </main>
  )
}
