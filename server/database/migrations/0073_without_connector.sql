-- What happens to decisions in an app without a connector. Existing apps keep what they do: decisions are recorded, and nobody is asked.
alter table apps add column without_connector text default 'records only'::text not null;
alter table apps add constraint apps_without_connector_check check (without_connector in ('manual', 'records only'));
