/** Who works where at Larkfield Instruments, before they have names: 200 posts. */
export type Site = 'Leeds' | 'Porto' | 'Toronto' | 'Pune' | 'Remote'

export type Team = {
  name: string
  /** The title of who leads it; where absent, the team answers to the head of the department. */
  lead?: string
  /** How many there are of each title. */
  posts: Record<string, number>
  sites: readonly Site[]
}

export type Department = { name: string; costCentre: string; head: string; teams: readonly Team[] }

export const countryOf: Record<Site, string> = { Leeds: 'GB', Porto: 'PT', Toronto: 'CA', Pune: 'IN', Remote: 'GB' }

export const departments: readonly Department[] = [
  {
    name: 'Executive',
    costCentre: 'CC-1000',
    head: 'Chief Executive Officer',
    teams: [{ name: 'Executive Office', posts: { 'Executive Assistant': 1 }, sites: ['Leeds'] }],
  },
  {
    name: 'Engineering',
    costCentre: 'CC-2100',
    head: 'VP Engineering',
    teams: [
      {
        name: 'Firmware',
        lead: 'Firmware Engineering Manager',
        posts: { 'Senior Firmware Engineer': 3, 'Firmware Engineer': 6, 'Firmware Intern': 1 },
        sites: ['Leeds', 'Leeds', 'Porto'],
      },
      {
        name: 'Platform',
        lead: 'Platform Engineering Manager',
        posts: { 'Staff Platform Engineer': 1, 'Senior Platform Engineer': 3, 'Platform Engineer': 5 },
        sites: ['Pune', 'Porto', 'Remote'],
      },
      {
        name: 'Web',
        lead: 'Web Engineering Manager',
        posts: { 'Senior Software Engineer': 3, 'Software Engineer': 6, 'Software Intern': 2 },
        sites: ['Porto', 'Pune', 'Toronto', 'Remote'],
      },
      {
        name: 'Hardware',
        lead: 'Hardware Engineering Manager',
        posts: { 'Senior Hardware Engineer': 3, 'Hardware Engineer': 5 },
        sites: ['Leeds'],
      },
      {
        name: 'Quality',
        lead: 'Test Engineering Manager',
        posts: { 'Senior Test Engineer': 2, 'Test Engineer': 5, 'Test Intern': 1 },
        sites: ['Leeds', 'Pune'],
      },
    ],
  },
  {
    name: 'Product',
    costCentre: 'CC-2200',
    head: 'VP Product',
    teams: [
      {
        name: 'Product Management',
        lead: 'Group Product Manager',
        posts: { 'Product Manager': 5 },
        sites: ['Leeds', 'Porto', 'Toronto'],
      },
      {
        name: 'Design',
        lead: 'Design Manager',
        posts: { 'Senior Product Designer': 2, 'Product Designer': 3, 'Design Intern': 1 },
        sites: ['Porto', 'Remote'],
      },
    ],
  },
  {
    name: 'Data',
    costCentre: 'CC-2300',
    head: 'Director of Data',
    teams: [
      {
        name: 'Analytics',
        posts: { 'Data Engineer': 2, 'Data Analyst': 2, 'Data Scientist': 1 },
        sites: ['Leeds', 'Pune', 'Remote'],
      },
    ],
  },
  {
    name: 'Manufacturing',
    costCentre: 'CC-3100',
    head: 'VP Manufacturing',
    teams: [
      {
        name: 'Assembly',
        lead: 'Assembly Supervisor',
        posts: { 'Assembly Technician': 12 },
        sites: ['Leeds', 'Leeds', 'Porto'],
      },
      { name: 'Calibration', lead: 'Calibration Lead', posts: { 'Calibration Technician': 7 }, sites: ['Leeds'] },
      {
        name: 'Supply Chain',
        lead: 'Supply Chain Manager',
        posts: { Buyer: 3, 'Warehouse Associate': 5, 'Logistics Coordinator': 3 },
        sites: ['Leeds', 'Porto'],
      },
    ],
  },
  {
    name: 'Sales',
    costCentre: 'CC-4100',
    head: 'VP Sales',
    teams: [
      {
        name: 'Sales Europe',
        lead: 'Regional Sales Manager, Europe',
        posts: { 'Account Executive': 6, 'Sales Development Representative': 3 },
        sites: ['Leeds', 'Porto', 'Remote'],
      },
      {
        name: 'Sales Americas',
        lead: 'Regional Sales Manager, Americas',
        posts: { 'Account Executive': 5, 'Sales Development Representative': 2 },
        sites: ['Toronto'],
      },
      {
        name: 'Sales Operations',
        lead: 'Sales Operations Manager',
        posts: { 'Sales Operations Analyst': 2, 'Sales Engineer': 4 },
        sites: ['Leeds', 'Toronto'],
      },
    ],
  },
  {
    name: 'Marketing',
    costCentre: 'CC-4200',
    head: 'VP Marketing',
    teams: [
      {
        name: 'Brand',
        lead: 'Brand Manager',
        posts: { 'Content Writer': 3, 'Events Coordinator': 1 },
        sites: ['Porto', 'Remote'],
      },
      {
        name: 'Demand Generation',
        lead: 'Demand Generation Manager',
        posts: { 'Marketing Specialist': 4, 'Marketing Intern': 1 },
        sites: ['Leeds', 'Toronto'],
      },
    ],
  },
  {
    name: 'Customer Support',
    costCentre: 'CC-4300',
    head: 'Director of Customer Support',
    teams: [
      {
        name: 'Field Service',
        lead: 'Field Service Manager',
        posts: { 'Field Service Engineer': 5 },
        sites: ['Leeds', 'Toronto', 'Remote'],
      },
      {
        name: 'Service Desk',
        lead: 'Support Manager',
        posts: { 'Senior Support Specialist': 3, 'Support Specialist': 7 },
        sites: ['Pune', 'Toronto', 'Porto'],
      },
    ],
  },
  {
    name: 'Finance',
    costCentre: 'CC-5100',
    head: 'Chief Financial Officer',
    teams: [
      {
        name: 'Accounting',
        lead: 'Accounting Manager',
        posts: { Accountant: 3, 'Accounts Payable Clerk': 2 },
        sites: ['Leeds'],
      },
      {
        name: 'Planning and Payroll',
        lead: 'Financial Planning Manager',
        posts: { 'Financial Analyst': 2, 'Payroll Specialist': 2 },
        sites: ['Leeds', 'Porto'],
      },
    ],
  },
  {
    name: 'People',
    costCentre: 'CC-5200',
    head: 'Chief People Officer',
    teams: [
      {
        name: 'People Operations',
        lead: 'People Operations Manager',
        posts: { 'HR Business Partner': 2, 'HR Coordinator': 1 },
        sites: ['Leeds', 'Porto'],
      },
      { name: 'Talent', lead: 'Talent Acquisition Manager', posts: { Recruiter: 3 }, sites: ['Leeds', 'Toronto'] },
    ],
  },
  {
    name: 'Legal',
    costCentre: 'CC-5300',
    head: 'General Counsel',
    teams: [
      {
        name: 'Legal and Compliance',
        posts: { Counsel: 1, 'Contracts Manager': 1, 'Compliance Officer': 1 },
        sites: ['Leeds'],
      },
    ],
  },
  {
    name: 'IT',
    costCentre: 'CC-6100',
    head: 'Director of IT',
    teams: [
      {
        name: 'Systems',
        lead: 'Systems Administration Manager',
        posts: { 'Systems Administrator': 3, 'IT Support Technician': 2 },
        sites: ['Leeds', 'Pune', 'Toronto'],
      },
      {
        name: 'Security',
        lead: 'Security Manager',
        posts: { 'Security Engineer': 2, 'Security Analyst': 1 },
        sites: ['Leeds', 'Remote'],
      },
    ],
  },
]
