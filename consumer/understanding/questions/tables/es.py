"""Spanish. A verb's ending says who does it: "debo" is "I owe"."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables.form import QuestionWords, pairs, phrases, words

WORDS: Final = QuestionWords(
    code="es",
    when=phrases(
        "cuándo | cuando | para cuándo | para cuando | hasta cuándo | hasta cuando | qué día | que dia | qué fecha |"
        " en qué fecha | a qué hora | a que hora"
    ),
    who=phrases("quién | quien | quiénes | a quién | de quién | con quién"),
    much=phrases("cuánto | cuanto | cuánta | cuántos | cuántas | qué importe | a cuánto"),
    elsewhere=phrases("dónde | donde | por qué | porque | cómo | como | qué dirección"),
    what=words("qué que cuál cual cuáles"),
    dates=words("fecha"),
    subject_i=words("yo debo tengo prometí he nosotros debemos tenemos"),
    owe=phrases(
        "debo | debe | deben | debemos | prometí | prometió | prometido | tengo que | tiene que | tenemos que |"
        " hay que | por hacer | pendiente | pendientes | mi lista"
    ),
    owed_me=phrases(
        "me debe | me deben | nos debe | nos deben | me prometió | me prometieron | me han prometido | nos"
        " prometieron | nos han prometido"
    ),
    promise=phrases("prometí | prometió | prometido"),
    must=phrases("debo | tengo que | tenemos que | hay que"),
    want=phrases("quiere | quería | pide | pidió | pedido | necesita de mí | necesita | espera de mí"),
    wait=phrases("espero | estoy esperando | esperamos"),
    due=phrases("vence | vencen | toca"),
    overdue=phrases("atrasado | atrasada | atrasados | vencido | vencida | con retraso"),
    changed=phrases("cambiado | cambió | cambia | cambio | movido | aplazado | aplazada | retrasado | pospuesto"),
    changed_past=words("cambiado cambió movido aplazado aplazada retrasado pospuesto"),
    not_yet=words("ser será serán sería va van puede pueden podría podrían debería deberían habrá habría tiene tienen"),
    decided=phrases("decidimos | decidió | decidido | decisión | decisiones | acordamos | acordado"),
    last=words("último última últimamente"),
    next=words("próxima próximo siguiente"),
    over=words("fue fueron era vi tuve reuní encontré"),
    toward=words("a al hacia para"),
    away=words("de del desde"),
    heard=words("escribió escrito mensaje correo noticias contactó llamó respondió"),
    hears=words("noticias"),
    meet=words("veo ver vi reunión cita próxima próximo quedo reúno"),
    meeting=words("reunión cita sesión"),
    attend=words("viene vienen asiste asisten participa estará invitado invitados asistentes va van"),
    phone=phrases("teléfono | número | número de teléfono | móvil | telefono | numero"),
    email=phrases("correo | email | e-mail | correo electrónico | mail"),
    still_on=phrases("sigue en pie | se celebra | se mantiene"),
    called_off=phrases("cancelado | cancelada | anulado | anulada"),
    yes_no=words("he ha han es está están fue hay sigue"),
    past=words("he ha han ya"),
    filler=words(
        """
        respecto acerca
        el la los las un una unos unas de del a al en y o para por con sobre es son está están fue era ser ha he han
        hay lo le les se me mi mis mí yo nos nuestro te tu tus su sus qué que cuál cual cuáles esto eso algo todo
        todavía aún aun ya ahora por favor dime di sabes fecha día hora más exactamente hacer hecho va próxima próximo
        tengo
        """
    ),
    attributes=pairs(
        """
        empieza comienza inicio arranca: start date | termina acaba fin: end | cierra cierre: closing end | abre
        apertura inauguración: opening start date | entrega llega entregan: delivery | plazo límite vence: deadline
        | cuesta coste precio vale: price cost fee rate rent total offer deposit | lanzamiento: date start
        """
    ),
    wording=dict(
        you_owe="Usted prometió a {names}: {what}",
        quoted="\xab{words}\xbb",
        your_task="En su lista: {what}",
        owed_to_you="{owner} le prometió: {what}",
        asked_of_you="{names} le pide: {what}",
        asked_by_you="Usted pide a {names}: {what}",
        others="{owner} prometió a {names}: {what}",
        alone="{owner} prometió: {what}",
        you_alone="Usted prometió: {what}",
        due=", para el {day}",
        overdue=", era para el {day}",
        due_before=", antes del {day}",
        delivered=", hecho el {day}",
        done=", hecho",
        declined=", rechazado",
        taken_back=", promesa retirada",
        withdrawn=", ya no hace falta",
        condition=", si {condition}",
        fact="{subject}: {value}",
        since=", desde el {day}",
        replaced=", antes {value}",
        disputed="{subject}: {sides}",
        side="{who} dice {value} ({day})",
        side_you="usted dice {value} ({day})",
        side_nobody="una nota dice {value} ({day})",
        change="{subject}: ahora {after}, antes {before} ({day})",
        meeting="{title}: {day}",
        meeting_undated="{title}",
        attendees=", con {names}",
        cancelled="{title} del {day}: cancelado",
        contact="{name}: {value}",
        heard="{name}: último mensaje el {day}",
        decided="Decidido el {day}: {what}",
        said_by="{text}, dice {who}",
        yes="Sí. {text}",
        no="No. {text}",
        no_word="No consta todavía. {text}",
        conjunction="y",
        day="{day} de {month} de {year}",
        at="{day}, {time}",
        you="usted",
    ),
    names=pairs(
        """
        date: fecha | deadline: plazo | start: inicio | end: fin | delivery: entrega | opening: apertura | closing:
        cierre | budget: presupuesto | price: precio | cost: coste | fee: tarifa | rent: alquiler | deposit: fianza
        | salary: salario | discount: descuento | phone: teléfono | email: correo | version: versión | rate: tasa |
        target: objetivo | capacity: capacidad | revenue: ingresos | margin: margen | total: total | offer: oferta
        """
    ),
)
