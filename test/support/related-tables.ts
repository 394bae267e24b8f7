// Tables with every kind of relationship between them, and a few rows.

/**
 * Tables of clinics and their doctors, with chiefs, licences, skills and visits. Also views of these tables, functions that
 * define relationships, and parcels with two foreign keys to addresses.
 */
export const RELATED_TABLES = `
  create table clinics (id int primary key, name text);
  create table doctors (id int primary key, clinic_id int references clinics, chief_id int references doctors, name text, fee numeric);
  create table licences (doctor_id int primary key references doctors, number text);
  create table skills (id int primary key, name text);
  create table doctor_skills (doctor_id int references doctors, skill_id int references skills, level int, primary key (doctor_id, skill_id));
  create table rooms (clinic_id int references clinics, number int, floor int, primary key (clinic_id, number));
  create table visits (id int primary key, doctor_id int references doctors, clinic_id int, room int, cost numeric, foreign key (clinic_id, room) references rooms);
  create table addresses (id int primary key, street text);
  create table parcels (id int primary key, sender_id int constraint sent_from references addresses, receiver_id int constraint sent_to references addresses);
  create view staff as select id, clinic_id, name from doctors;
  create view places as select id, name as title from clinics;
  create view abilities as select doctor_id, skill_id, level from doctor_skills;
  create function first_visit(doctors) returns setof visits rows 1 stable language sql as 'select * from visits where doctor_id = $1.id order by id limit 1';
  create function dear_visits(doctors) returns setof visits stable language sql as 'select * from visits where doctor_id = $1.id and cost > 50';
  insert into clinics values (1, 'Aurora'), (2, 'Boavista'), (3, 'Empty');
  insert into doctors values (1, 1, null, 'Ana', 100), (2, 1, 1, 'Bia', 50), (3, 2, 1, 'Caio', 70), (4, null, null, 'Dora', null);
  insert into licences values (1, 'L1'), (3, 'L3');
  insert into skills values (1, 'heart'), (2, 'skin');
  insert into doctor_skills values (1, 1, 5), (1, 2, 2), (3, 1, 4);
  insert into rooms values (1, 10, 1), (1, 11, 1), (2, 10, 0);
  insert into visits values (1, 1, 1, 10, 20), (2, 1, 1, 11, 80), (3, 3, 2, 10, 60), (4, 2, 1, 10, 40);
  insert into addresses values (1, 'North St'), (2, 'South St');
  insert into parcels values (1, 1, 2);
`
