import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Opens something that an address asks for, as in `/apps#create`, and leaves the address without it. */
export function useOpenedBy(hash: string, open: () => void): void {
  const { hash: current } = useLocation()
  const navigate = useNavigate()
  const isAsked = current === hash
  useEffect(() => {
    if (!isAsked) return
    open()
    void navigate({ to: '.', search: true, hash: '', replace: true })
    // oxlint-disable-next-line react/exhaustive-deps -- once per visit of the address
  }, [isAsked])
}
